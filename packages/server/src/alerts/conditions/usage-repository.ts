import { sql } from 'kysely'
import { HOUR } from '../../common/time-units.ts'
import type { FiguresDb } from '../../ledger/up-to-date-figures.ts'

/** Hourly sums over all calls of the site. */
export const usageRepository = (db: FiguresDb) => ({
  async outcomes(from: number) {
    const { answered, unanswered, upstream, timeouts } = await ofHours(db, from)
      .select([
        sql<number>`CAST(coalesce(sum(request_count), 0) AS bigint)`.as('answered'),
        sql<number>`CAST(coalesce(sum(failed_count), 0) AS bigint)`.as('unanswered'),
        sql<number>`CAST(coalesce(sum(upstream_error_count), 0) AS bigint)`.as('upstream'),
        sql<number>`CAST(coalesce(sum(timeout_count), 0) AS bigint)`.as('timeouts'),
      ])
      .executeTakeFirstOrThrow()
    return { calls: Number(answered) + Number(unanswered), failed: Number(upstream) + Number(timeouts) }
  },

  /** By the start of the hour; hours without calls are absent. */
  async spent(from: number) {
    const rows = await ofHours(db, from).select(['start', 'quota']).execute()
    return new Map(rows.map(({ start, quota }) => [start, quota]))
  },
})

const ofHours = (db: FiguresDb, from: number) =>
  db.selectFrom('total_usage').where('span', '=', HOUR).where('start', '>=', from)
