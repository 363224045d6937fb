import type { Received, RouteChange, routes } from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import { channelsRepository, type StoredChannel } from './channels-repository.ts'

type Changes = Received<typeof routes.change>['body']['changes']
type Changed = RouteChange['changed']

export type ChannelOrder = ReturnType<typeof createChannelOrder>

/** Priorities and weights of several channels change together, all or none. */
export const createChannelOrder = ({ db, audit }: { db: Db; audit: AuditService }) => ({
  /** What would change, or why it cannot. */
  preview: async (changes: Changes): Promise<Changed> =>
    planned(await channelsRepository(db).some(idsOf(changes)), changes),

  save: (by: By, changes: Changes): Promise<Changed> =>
    transact(db, async (tx) => {
      const channels = channelsRepository(tx)
      const changed = planned(await channels.lockMany(idsOf(changes)), changes)
      if (changed.length === 0) return changed
      const next = await channels.nextChange()
      for (const { id, after } of changed) await channels.updateMany([id], { ...after, changed: next })
      await audit.recordMany(
        tx,
        by,
        changed.map(({ id, before, after }) => ({ action: 'channel.update', target: `channel:${id}`, before, after })),
      )
      return changed
    }),
})

const idsOf = (changes: Changes) => changes.map(({ id }) => id)

/** The actual changes. A caller who saw an outdated order is refused. */
function planned(rows: readonly StoredChannel[], changes: Changes): Changed {
  if (rows.length < changes.length) throw new GatewayError('route.gone', { count: changes.length - rows.length })
  const stored = new Map(rows.map((row) => [row.id, row]))
  return changes.flatMap(({ id, priority, weight, seen }) => {
    const row = stored.get(id)
    if (row === undefined) return []
    const { name } = row
    const before = { priority: row.priority, weight: row.weight }
    if (before.priority !== seen.priority || before.weight !== seen.weight) {
      throw new GatewayError('route.changed_meanwhile', { name })
    }
    const after = { priority, weight }
    return before.priority === priority && before.weight === weight ? [] : [{ id, name, before, after }]
  })
}
