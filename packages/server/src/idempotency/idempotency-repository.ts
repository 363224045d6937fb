import type { Insertable } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'

export const idempotencyRepository = (db: Db) => ({
  /** True for the first one; the database decides. */
  async claim(row: Insertable<Schema['idempotency_keys']>) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('idempotency_keys')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  },

  find: (id: string) =>
    db
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'answer', 'running_until'])
      .where('id', '=', id)
      .executeTakeFirst(),

  keepAnswer: (id: string, answer: string) =>
    db.updateTable('idempotency_keys').set({ answer }).where('id', '=', id).execute(),

  /** Marks a request that will never be answered and whose progress is unknown. */
  breakOff: (id: string) => db.updateTable('idempotency_keys').set({ running_until: 0 }).where('id', '=', id).execute(),

  remove: (id: string) => db.deleteFrom('idempotency_keys').where('id', '=', id).execute(),

  removeBefore: (createdAt: number) => db.deleteFrom('idempotency_keys').where('created_at', '<', createdAt).execute(),
})
