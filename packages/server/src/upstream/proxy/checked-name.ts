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
 * allowed; a name that is not found here, or not soon, is left to the proxy. A name that an administrator did not set is waited for,
 * since its resolver may be slow on purpose, and is not left to the proxy if it is one of a private network.
 */
export const createCheckedName = (hosts: CheckedHosts, lookupMs = LOOKUP_MS): CheckedName => {
  const unresolved = new Map<string, number>()

  const isFound = async (host: string, policy: AddressPolicy) => {
    try {
      await hosts(host, policy)
      return true
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'outbound.failed') return false
      throw error
    }
  }

  const checkSet = async (host: string) => {
    if ((unresolved.get(host) ?? 0) > Date.now()) return
    const found = isFound(host, 'admin')
    // It may fail after nobody waits any more.
    found.catch(() => {})
    if (await Promise.race([found, late(lookupMs)])) return
    if (unresolved.size >= NAMES_MAX) unresolved.clear()
    unresolved.set(host, Date.now() + KEPT_MS)
  }

  return async (host, policy) => {
    if (policy === 'admin') return checkSet(host)
    if ((await isFound(host, policy)) || !isPrivateName(host)) return
    throw new GatewayError(
      'outbound.refused_address',
      {},
      { cause: new Error(`${host} is a name of a private network`) },
    )
  }
}

/** Without a dot, or below a name that is reserved for private networks. */
const isPrivateName = (host: string) =>
  !host.includes('.') || /\.(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)$/.test(host)

const late = (ms: number) => new Promise<false>((resolve) => setTimeout(resolve, ms, false).unref())
