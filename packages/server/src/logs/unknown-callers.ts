import type { UnknownCaller } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import { nodeName } from '../common/node-name.ts'

const ADDRESSES_MAX = 1000

export type UnknownCallers = ReturnType<typeof createUnknownCallers>

/**
 * Calls with unknown keys, by address. Anyone can send them at any rate: they are counted in memory only, and the address that was
 * quiet for longest is dropped first.
 */
export const createUnknownCallers = (clock: Clock, addressesMax = ADDRESSES_MAX) => {
  const since = seconds(clock)
  const callers = new Map<string, UnknownCaller>()
  return {
    count(address: string) {
      const now = seconds(clock)
      const known = callers.get(address)
      callers.delete(address)
      callers.set(address, { address, count: (known?.count ?? 0) + 1, first_at: known?.first_at ?? now, last_at: now })
      if (callers.size > addressesMax) callers.delete(callers.keys().next().value ?? '')
    },
    /** The newest first. */
    list: () => ({ node: nodeName(), since, callers: [...callers.values()].reverse() }),
  }
}
