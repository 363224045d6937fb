import { TokenStatus, UserStatus } from '@tollgate/contract'
import { GatewayError } from '../../common/errors.ts'
import type { RevokedKey, TokensService } from '../../tokens/tokens-service.ts'
import type { Watchdog } from '../timeouts/watchdog.ts'

interface Needs {
  tokens: Pick<TokensService, 'revoked'>
  watchdog: Pick<Watchdog, 'running' | 'tokenIds' | 'revoke'>
}

/**
 * Ends the running calls of keys that were disabled or deleted, and of owners who were banned: a stream or a conversation may go on for
 * minutes, and an administrator who bans somebody expects it to stop. One query per node for all running calls, so that a chunk costs nothing. A
 * key that expires or has used up its quota finishes what it began.
 */
export const createRevokedCallers = ({ tokens, watchdog }: Needs) => ({
  name: 'revoked callers',
  everySec: 2,
  onEveryNode: true as const,
  isIdle: () => watchdog.running() === 0,
  async run() {
    for (const key of await tokens.revoked(watchdog.tokenIds())) watchdog.revoke(key.id, refusalOf(key))
  },
})

/** The same as the next call gets. */
function refusalOf({ status, deleted_at, blocked_by, blocked_reason, user_status }: RevokedKey) {
  if (deleted_at !== null) return new GatewayError('relay.bad_key')
  if (blocked_by !== 0) return new GatewayError('relay.key_blocked', { reason: blocked_reason })
  if (status === TokenStatus.disabled) return new GatewayError('relay.key_disabled')
  if (user_status !== UserStatus.enabled) return new GatewayError('relay.user_disabled')
  throw new Error('This key is not revoked')
}
