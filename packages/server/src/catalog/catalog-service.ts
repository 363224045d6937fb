import type { Clock } from '../common/clock.ts'
import { type GroupFactor, micros } from '../ledger/rounding.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { PriceBook, Prices } from './prices.ts'
import type { RoutableChannel } from './routable-channel.ts'
import { buildSnapshot, type Snapshot } from './snapshot.ts'

export type CatalogService = ReturnType<typeof createCatalogService>

/** The maximum age of this node's configuration. */
const FRESH_MS = 1000

interface Needs {
  /** The stored channels, and a version that changes with them. */
  channels: { version(): Promise<string>; routable(): Promise<readonly RoutableChannel[]> }
  options: OptionsService
  /** Other configuration of calls, which detects its own changes. */
  budgets: { refresh(): Promise<void> }
  prices: Prices
  clock: Clock
}

/** All configuration that a call needs, in memory. A change builds a new snapshot and swaps it. */
export const createCatalogService = ({ channels, options, budgets, prices, clock }: Needs) => {
  let snapshot: Snapshot = buildSnapshot([])
  let version = ''
  let checkedAt = Number.NEGATIVE_INFINITY
  let forgotten = 0
  let checking: Promise<void> | undefined

  const check = async () => {
    const now = clock.now()
    const before = forgotten
    const optionsOf = await options.refresh()
    await budgets.refresh()
    const found = await channels.version()
    if (found !== version) {
      snapshot = buildSnapshot(await channels.routable())
      version = found
    }
    // The time at which the check started: later changes may have been missed. Of two ages the greater one counts.
    if (before === forgotten) checkedAt = Math.min(now, optionsOf)
  }

  return {
    snapshot: () => snapshot,

    prices: (): PriceBook => prices.book(),

    /** An unknown group has the default factor. */
    groupFactor: (group: string): GroupFactor => micros(options.values().GroupRatio.get(group) ?? 1),

    /** Another node has changed something: the snapshot is outdated, whatever its age. */
    forget() {
      forgotten++
      checkedAt = Number.NEGATIVE_INFINITY
    },

    /** Checks now, whatever the age. */
    reload: check,

    /** Undefined while the snapshot is fresh, which is nearly always; otherwise the promise to wait for. */
    stale(): Promise<void> | undefined {
      if (Math.abs(clock.now() - checkedAt) < FRESH_MS) return undefined
      checking ??= check().finally(() => {
        checking = undefined
      })
      return checking
    },
  }
}
