import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { SavedFailureRow } from '../database/tables/usage.ts'

const ROWS_AT_ONCE = 100

/** Failures of channels that no caller saw as a failed call, by the hour. */
export const savedFailuresRepository = (db: Db) => ({
  /** They come in the order of their keys, in which every node locks them. */
  async add(rows: readonly SavedFailureRow[]) {
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
      const isNewer = sql<boolean>`excluded.last_at >= saved_failures.last_at`
      const newest = <Value>(column: 'last_at' | 'last_error' | 'last_request_id') =>
        sql<Value>`CASE WHEN ${isNewer} THEN ${sql.ref(`excluded.${column}`)} ELSE ${sql.ref(`saved_failures.${column}`)} END`
      await db
        .insertInto('saved_failures')
        .values(rows.slice(first, first + ROWS_AT_ONCE))
        .onConflict((conflict) =>
          conflict.columns(['hour', 'channel']).doUpdateSet({
            retried: sql`saved_failures.retried + excluded.retried`,
            broken: sql`saved_failures.broken + excluded.broken`,
            last_at: newest<number>('last_at'),
            last_error: newest<string>('last_error'),
            last_request_id: newest<string>('last_request_id'),
          }),
        )
        .execute()
    }
  },

  since: (hour: number): Promise<SavedFailureRow[]> =>
    db
      .selectFrom('saved_failures')
      .select(['hour', 'channel', 'retried', 'broken', 'last_at', 'last_error', 'last_request_id'])
      .where('hour', '>=', hour)
      .orderBy('hour')
      .execute(),

  removeBefore: (hour: number) => db.deleteFrom('saved_failures').where('hour', '<', hour).execute(),
})
