import { isRoot, type Recording } from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import { type Db, transact } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import { type Removed, recordingsRepository, type StoredRecording } from './recordings-repository.ts'
import { requestSealContext, responseSealContext } from './seal-context.ts'
import { openBody } from './stored-body.ts'

export type RecordingsService = ReturnType<typeof createRecordingsService>

const REMOVED_AT_ONCE = 200

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  audit: AuditService
  /** Whether an administrator has enabled recording. */
  isEnabled(): boolean
  /** Writes queued recordings, so that they can be removed. */
  flush(): Promise<unknown>
}

/** Access to recordings, and their removal. */
export const createRecordingsService = ({ db, clock, vault, audit, isEnabled, flush }: Needs) => {
  const found = async (tx: Db, requestId: string) => {
    const row = await recordingsRepository(tx).find(requestId)
    // It may have expired since the last hourly removal.
    if (row === undefined || row.expires_at <= seconds(clock)) throw new GatewayError('recording.not_found')
    return row
  }

  const wire = (row: StoredRecording): Recording => ({
    ...row,
    is_stream: row.is_stream === 1,
    request: openBody(vault, row.request_sealed, requestSealContext(row.request_id)),
    request_cut: row.request_cut === 1,
    response: openBody(vault, row.response_sealed, responseSealContext(row.request_id)),
    response_cut: row.response_cut === 1,
  })

  /** In small steps: calls wait for one of them, not for all. */
  const remove = async (removed: Removed) => {
    while ((await recordingsRepository(db).removeSome(removed, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE)
      await yieldToEventLoop()
  }

  return {
    /** Another user's recording is treated as not existing. */
    async getSelf(actor: Actor, requestId: string) {
      const row = await found(db, requestId)
      if (row.user_id !== actor.id) throw new GatewayError('recording.not_found')
      return wire(row)
    },

    /** Another user's recording is shown only to a higher role, and only with an entry in the audit log. */
    async get(by: By, requestId: string) {
      const own = await recordingsRepository(db).find(requestId)
      if (own?.user_id === by.actor.id) return this.getSelf(by.actor, requestId)
      if (!isEnabled()) throw new GatewayError('recording.disabled')
      return transact(db, async (tx) => {
        const row = await found(tx, requestId)
        const { user_id, token_id } = row
        const { role } = by.actor
        if (!isRoot(role) && role <= (await recordingsRepository(tx).roleOf(user_id)))
          throw new GatewayError('recording.rank')
        await audit.record(tx, by, {
          action: 'recording.read',
          target: `recording:${requestId}`,
          after: { user_id, token_id },
        })
        return wire(row)
      })
    },

    /** Removed with the log: everything older than the given second. */
    async removeBefore(before: number) {
      await flush()
      await remove({ before })
    },

    removeOfToken: async (tokenId: number) => {
      await flush()
      await remove({ tokenId })
    },

    removeOfUser: async (userId: number) => {
      await flush()
      await remove({ userId })
    },

    /** Expired recordings, and those of deleted keys that a dead process or another node left. */
    async removeEnded() {
      await remove({ expiredAt: seconds(clock) })
      await remove('ownerless')
    },
  }
}
