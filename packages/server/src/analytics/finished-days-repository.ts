import { sql } from 'kysely'
import { DAY, HOUR } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import { transact } from '../database/client.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import type { PackedRow, Route } from './packed-rows.ts'
import type { PackedDays } from './packs-repository.ts'
import type { FigureColumn } from './sums-repository.ts'

type Found = { hour: number; model_name: string; channel: number; key: number } & Record<FigureColumn, number>

/** The rows that are packed when their days are over. */
export const finishedDaysRepository = (db: FiguresDb, { start, span }: PackedDays) => {
  const until = start + span
  const within = (begin: string) => sql`${sql.ref(begin)} >= ${start} AND ${sql.ref(begin)} < ${until}`
  const rowOf = (row: Partial<Found>): PackedRow => ({
    hour: row.hour === undefined ? 0 : (row.hour - start) / HOUR,
    route: [row.model_name ?? '', row.channel ?? 0] satisfies Route,
    key: row.key ?? 0,
    sums: FIGURE_COLUMNS.map((column) => row[column] ?? 0),
  })

  return {
    /** What nodes of an older version added is missing in the totals until they are made again. */
    makeTotals: () =>
      transact(db, async (tx) => {
        for (const one of [HOUR, DAY]) {
          await sql`DELETE FROM total_usage WHERE span = ${sql.lit(one)} AND ${within('start')}`.execute(tx)
          await sql`INSERT INTO total_usage (span, start, ${COLUMNS}) SELECT span, start, ${SUMS} FROM site_usage
            WHERE span = ${sql.lit(one)} AND ${within('start')} GROUP BY span, start`.execute(tx)
        }
      }),

    /** Numbers the keys that have none, after those that are known, so that readers need only the newest. */
    numberKeys: () =>
      sql`INSERT INTO figure_keys (id, user_id, username, token_name)
        SELECT (SELECT coalesce(max(id), 0) FROM figure_keys) + row_number() OVER (ORDER BY user_id, token_name, username),
          user_id, username, token_name
        FROM (SELECT DISTINCT user_id, username, token_name FROM key_usage
          WHERE span = ${sql.lit(DAY)} AND ${within('start')}) AS called
        WHERE NOT EXISTS (SELECT 1 FROM figure_keys AS known
          WHERE known.user_id = called.user_id AND known.token_name = called.token_name AND known.username = called.username)`.execute(
        db,
      ),

    async total(): Promise<PackedRow[]> {
      const { rows } = await sql<Found>`SELECT start AS hour, ${COLUMNS} FROM total_usage
        WHERE span = ${sql.lit(HOUR)} AND ${within('start')}`.execute(db)
      return rows.map(rowOf)
    },

    async routes(): Promise<PackedRow[]> {
      const { rows } = await sql<Found>`SELECT start AS hour, model_name, channel, ${COLUMNS} FROM site_usage
        WHERE span = ${sql.lit(HOUR)} AND ${within('start')}`.execute(db)
      return rows.map(rowOf)
    },

    async keys(): Promise<PackedRow[]> {
      const { rows } = await sql<Found>`SELECT id AS key, ${SUMS}
        FROM key_usage JOIN figure_keys USING (user_id, token_name, username)
        WHERE span = ${sql.lit(DAY)} AND ${within('start')} GROUP BY id`.execute(db)
      return rows.map(rowOf)
    },

    /** A day at a time, so that calls need not wait for the whole. */
    async calls(): Promise<PackedRow[]> {
      const all: PackedRow[] = []
      for (let day = start; day < until; day += DAY) {
        const { rows } = await sql<Found>`SELECT hour, model_name, channel, id AS key, ${COLUMNS}
          FROM usage_hours JOIN figure_keys USING (user_id, token_name, username)
          WHERE user_id IN (SELECT user_id FROM key_usage WHERE span = ${sql.lit(DAY)} AND start = ${day})
            AND hour >= ${day} AND hour < ${day + DAY}`.execute(db)
        for (const row of rows) all.push(rowOf(row))
        await yieldToEventLoop()
      }
      return all
    },
  }
}

const COLUMNS = sql.raw(FIGURE_COLUMNS.join(', '))
const SUMS = sql.raw(FIGURE_COLUMNS.map((column) => `CAST(sum(${column}) AS bigint) AS ${column}`).join(', '))
