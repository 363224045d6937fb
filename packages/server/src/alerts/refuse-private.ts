import { bareHost } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import { withTimeout } from '../common/with-timeout.ts'
import type { CheckedHosts } from '../upstream/checked-hosts.ts'

/** A person waits for it; each delivery checks the address again. */
const LOOK_UP_MS = 2_000

/**
 * Rejects an address that no message would be sent to, in the words of a test. A name that cannot be resolved now is accepted:
 * that may change, and a test says so.
 */
export async function refusePrivate(hosts: CheckedHosts, url: string, privateAllowed: boolean) {
  const check = async () => hosts(bareHost(new URL(url)), privateAllowed ? 'admin' : 'user')
  await withTimeout(LOOK_UP_MS, check()).catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error
    if (error.code !== 'outbound.refused_address') return
    throw new GatewayError('alert.refused_address', { field: 'address' }, { cause: error })
  })
}
