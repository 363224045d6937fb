import { BULK_MAX, type BulkResult } from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import { describe, planned } from './bulk-change.ts'
import { applyPlanned } from './channel-bulk.ts'
import { channelsRepository, type StoredChannel } from './channels-repository.ts'

export type ChangeModels = ReturnType<typeof createChangeModels>

interface Change {
  id: number
  add: readonly string[]
  remove: readonly string[]
}

/** Models of many channels, each with its own to add and to remove, in one transaction. A preview is the same, up to the writing. */
export const createChangeModels = ({ db, vault, audit }: { db: Db; vault: Vault; audit: AuditService }) => {
  const plan = async (view: Db, changes: readonly Change[], rows: readonly StoredChannel[]) => {
    const found = new Map(rows.map((row) => [row.id, row]))
    const gone = changes.filter(({ id }) => !found.has(id)).length
    if (gone > 0) throw new GatewayError('channel.bulk_gone', { count: gone })
    const plans = changes.flatMap(({ id, add, remove }) => {
      const row = found.get(id)
      return row === undefined ? [] : planned([row], { add_models: add.join(','), remove_models: remove.join(',') })
    })
    return { plans, result: describe(rows, plans, await channelsRepository(view).enabledOffers()) }
  }

  return async (by: By, changes: readonly Change[], preview: boolean): Promise<BulkResult> => {
    const ids = [...new Set(changes.map(({ id }) => id))]
    if (ids.length < changes.length) throw new GatewayError('route.twice')
    if (ids.length > BULK_MAX) throw new GatewayError('channel.bulk_too_many', { max: BULK_MAX })
    if (preview) return (await plan(db, changes, await channelsRepository(db).some(ids))).result
    return transact(db, async (tx) => {
      const { plans, result } = await plan(tx, changes, await channelsRepository(tx).lockMany(ids))
      await applyPlanned(tx, { vault, audit }, by, plans)
      return result
    })
  }
}
