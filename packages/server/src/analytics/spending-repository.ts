import { sql } from 'kysely'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'

/** What one user spends, by the hour. */
export const spendingRepository = (db: FiguresDb) => ({
  async balance(userId: number) {
    const { quota } = await db.selectFrom('users').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()
    return quota
  },

  /** The hour of the first call that was charged. */
  async firstHour(userId: number) {
    const { first } = await db
      .selectFrom('usage_models')
      .select(sql<number | null>`min(hour)`.as('first'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return first ?? undefined
  },

  async spent(userId: number, { start, end }: { start: number; end: number }) {
    const { quota } = await db
      .selectFrom('usage_models')
      .select(sql<number>`CAST(coalesce(sum(quota), 0) AS bigint)`.as('quota'))
      .where('user_id', '=', userId)
      .where('hour', '>=', start)
      .where('hour', '<', end)
      .executeTakeFirstOrThrow()
    return quota
  },
})
