import type { AlertDeliveryState } from '@tollgate/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { pageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'

export type StoredDelivery = Selectable<Schema['alert_deliveries']>

export const alertDeliveriesRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['alert_deliveries']>) =>
    db.insertInto('alert_deliveries').values(row).returning('id').executeTakeFirstOrThrow(),

  async page({ ownerId, state, page }: { ownerId: number; state: AlertDeliveryState | ''; page: number }) {
    const matching = db
      .selectFrom('alert_deliveries')
      .where('owner_id', '=', ownerId)
      .$if(state !== '', (query) => query.where('state', '=', state || 'pending'))
    const { limit, offset } = pageWindow(page)
    const rows = await matching
      .select(['id', 'kind', 'title', 'way', 'destination_name', 'state'])
      .select(['attempts', 'created_time', 'tried_at', 'next_at', 'error'])
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return { rows, total: await countRows(matching) }
  },

  /** First the oldest of each destination, then the second: those of one that is away must not keep the others waiting. */
  due: (now: number, limit: number) => {
    const due = db
      .selectFrom('alert_deliveries')
      .selectAll()
      .select(sql<number>`row_number() OVER (PARTITION BY destination_id ORDER BY next_at, id)`.as('place'))
      .where('state', '=', 'pending')
      .where('next_at', '<=', now)
    return db
      .selectFrom(due.as('due'))
      .selectAll()
      .orderBy('place')
      .orderBy('next_at')
      .orderBy('id')
      .limit(limit)
      .execute()
  },

  /** True when no other node has started this attempt. From here on it counts as made, even if the process dies in it. */
  async claim({ id, attempts }: Pick<StoredDelivery, 'id' | 'attempts'>, triedAt: number, nextAt: number) {
    const { numUpdatedRows } = await db
      .updateTable('alert_deliveries')
      .set({ attempts: attempts + 1, tried_at: triedAt, next_at: nextAt })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .where('attempts', '=', attempts)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },

  update: (id: number, columns: Updateable<Schema['alert_deliveries']>) =>
    db.updateTable('alert_deliveries').set(columns).where('id', '=', id).execute(),

  /** Gives up the pending deliveries of a removed destination. */
  giveUp: (destinationId: number, error: string) =>
    db
      .updateTable('alert_deliveries')
      .set({ state: 'failed', next_at: 0, error })
      .where('destination_id', '=', destinationId)
      .where('state', '=', 'pending')
      .execute(),

  removeBefore: (time: number) =>
    db.deleteFrom('alert_deliveries').where('created_time', '<', time).where('state', '<>', 'pending').execute(),
})
