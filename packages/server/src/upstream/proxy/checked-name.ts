import { GatewayError } from '../../common/errors.ts'
import type { AddressPolicy } from '../addresses.ts'
import type { CheckedHosts } from '../checked-hosts.ts'

/** Throws when the host may not be contacted. */
type CheckedName = (host: string, policy: AddressPolicy) => Promise<void>

const LOOKUP_MS = 1_000
const KEPT_MS = 60_000
const NAMES_MAX = 1_000

/**
 * A proxy resolves names itself, often because they cannot be resolved here. Addresses found here, and literal addresses, must still be
 * allowed; a name that is not found here, or not soon, is left to the proxy.
 */
export const createCheckedName = (hosts: CheckedHosts, lookupMs = LOOKUP_MS): CheckedName => {
  const unresolved = new Map<string, number>()
  return async (host, policy) => {
    if ((unresolved.get(host) ?? 0) > Date.now()) return
    const found = Promise.resolve(hosts(host, policy)).then(
      () => true,
      (error) => {
        if (error instanceof GatewayError && error.code === 'outbound.failed') return false
        throw error
      },
    )
    if (await Promise.race([found, late(lookupMs)])) return
    if (unresolved.size >= NAMES_MAX) unresolved.clear()
    unresolved.set(host, Date.now() + KEPT_MS)
  }
}

const late = (ms: number) => new Promise<false>((resolve) => setTimeout(resolve, ms, false).unref())
