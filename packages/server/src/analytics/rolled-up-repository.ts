import { sql } from 'kysely'
import { transact } from '../database/client.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import { DAY, EIGHT_HOURS, FOUR_DAYS, HOUR, SIXTEEN_DAYS } from './zone-time.ts'

type Longer = typeof FOUR_DAYS | typeof SIXTEEN_DAYS

/**
 * Sums of spans that a charge does not write, made from its own: four and sixteen days, and eight hours. They are valid as long as
 * they equal the sums of their days, so that code that changes an old day need not know of them.
 */
export const rolledUpRepository = (db: FiguresDb) => ({
  /** What may be read instead of the days. */
  async valid({ from, until }: { from: number; until: number }) {
    const days = await totals(db, { span: DAY, from, until })
    const found: { span: Longer; start: number }[] = []
    for (const span of [FOUR_DAYS, SIXTEEN_DAYS] as const) {
      const wanted = new Map<number, number>()
      for (const { start, total } of days)
        wanted.set(start - (start % span), (wanted.get(start - (start % span)) ?? 0) + total)
      for (const { start, total } of await totals(db, { span, from, until }))
        if (wanted.get(start) === total) found.push({ span, start })
    }
    return found
  },

  async firstDay(): Promise<number | undefined> {
    const row = await db
      .selectFrom('site_usage')
      .select('start')
      .where('span', '=', DAY)
      .orderBy('start')
      .limit(1)
      .executeTakeFirst()
    return row?.start
  },

  /**
   * A call that is written down between two of these statements is missing in the first: it is always that one that is compared
   * with the days.
   */
  rollUp: (span: Longer, first: number) =>
    transact(db, async (tx) => {
      for (const { table, span: made, from, names } of ROLLED_UP[span]) {
        const within = sql`start >= ${first} AND start < ${first + span}`
        await sql`DELETE FROM ${sql.table(table)} WHERE span = ${sql.lit(made)} AND ${within}`.execute(tx)
        const keys = sql.join(names.map((name) => sql.ref(name)))
        const begin = sql`start - start % ${sql.lit(made)}`
        await sql`INSERT INTO ${sql.table(table)} (span, start, ${keys}, ${sql.join(COLUMNS)})
          SELECT ${sql.lit(made)}, ${begin}, ${keys}, ${sql.join(SUMS)} FROM ${sql.table(table)}
          WHERE span = ${sql.lit(from)} AND ${within} GROUP BY ${begin}, ${keys}`.execute(tx)
      }
    }),
})

const COLUMNS = FIGURE_COLUMNS.map((column) => sql.ref(column))
const SUMS = COLUMNS.map((column) => sql`sum(${column})`)

const ROUTE = ['model_name', 'channel']
const KEY = ['user_id', 'token_name', 'username']
const ROLLED_UP = {
  [FOUR_DAYS]: [
    { table: 'site_usage', span: FOUR_DAYS, from: DAY, names: ROUTE },
    { table: 'site_usage', span: EIGHT_HOURS, from: HOUR, names: ROUTE },
    { table: 'key_usage', span: FOUR_DAYS, from: DAY, names: KEY },
  ],
  [SIXTEEN_DAYS]: [
    { table: 'site_usage', span: SIXTEEN_DAYS, from: FOUR_DAYS, names: ROUTE },
    { table: 'key_usage', span: SIXTEEN_DAYS, from: FOUR_DAYS, names: KEY },
  ],
}

/** Figures only ever grow: what they all add up to is the same only where each of them is. */
async function totals(db: FiguresDb, { span, from, until }: { span: number; from: number; until: number }) {
  const { rows } = await sql<{ start: number; total: number }>`
    SELECT start, CAST(sum(${sql.join(COLUMNS, sql` + `)}) AS bigint) AS total FROM site_usage
    WHERE span = ${sql.lit(span)} AND start >= ${from} AND start < ${until} GROUP BY start`.execute(db)
  return rows
}
