import { sql } from 'kysely'
import { DAY, HOUR } from '../common/time-units.ts'
import { transact } from '../database/client.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import { packDays } from './figure-days-repository.ts'
import { packKeyDay } from './key-days-repository.ts'
import { ACTIVE } from './sums-repository.ts'
import { EIGHT_HOURS, FOUR_DAYS, SIXTEEN_DAYS } from './zone-time.ts'

type Longer = typeof FOUR_DAYS | typeof SIXTEEN_DAYS

/**
 * Sums of spans that a charge does not write, made from its own: four and sixteen days, and eight hours. They are valid as long as
 * they equal the sums of their days, so that code that changes an old day need not know of them.
 */
export const rolledUpRepository = (db: FiguresDb) => ({
  /** The sums that may be read instead of their days. */
  async valid({ from, until }: { from: number; until: number }) {
    const { rows } = await sql<{ span: number; start: number; total: number; packed: number }>`
      SELECT span, start, ${TOTAL} AS total, keys_packed AS packed FROM total_usage
      WHERE span IN (${sql.join(SPANS.map((span) => sql.lit(span)))}) AND start >= ${from} AND start < ${until}`.execute(
      db,
    )
    const days = rows.filter(({ span }) => span === DAY)
    return LONGER.flatMap((span) => {
      const wanted = new Map<number, number>()
      for (const { start, total } of days)
        wanted.set(start - (start % span), (wanted.get(start - (start % span)) ?? 0) + total)
      return rows.flatMap(({ span: found, start, total, packed }) =>
        found === span && wanted.get(start) === total ? [{ span, start, isPacked: packed === 1 }] : [],
      )
    })
  },

  /** As `valid`, but against the days of `site_usage`: nodes of an older version do not add to `total_usage`. */
  async isUpToDate(span: Longer, start: number) {
    // Four days that an older version has rolled up are not packed.
    const made = span === FOUR_DAYS ? sql` AND keys_packed = 1` : sql``
    const { rows } = await sql<{ rolled: number | null; days: number | null }>`SELECT
      (SELECT ${TOTAL} FROM total_usage WHERE span = ${sql.lit(span)} AND start = ${start}${made}) AS rolled,
      (SELECT CAST(sum(${TOTAL}) AS bigint) FROM site_usage
        WHERE span = ${sql.lit(DAY)} AND start >= ${start} AND start < ${start + span}) AS days`.execute(db)
    return rows[0]?.rolled === rows[0]?.days
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
   * A call that is written between two of these statements is missing in the total of the span, which is made first and is the sum
   * that is compared with the days. Sorted, because PostgreSQL stores rows in the order of insertion: rows that are read together are
   * then on the same pages.
   */
  rollUp: (span: Longer, first: number) =>
    transact(db, async (tx) => {
      for (const { table, span: made, from, names } of ROLLED_UP[span]) {
        const within = sql`start >= ${first} AND start < ${first + span}`
        await sql`DELETE FROM ${sql.table(table)} WHERE span = ${sql.lit(made)} AND ${within}`.execute(tx)
        const keys = names.map((name) => sql.ref(name))
        const begin = sql`start - start % ${sql.lit(made)}`
        const order = sql.join([begin, ...keys])
        await sql`INSERT INTO ${sql.table(table)} (${sql.join([sql`span`, sql`start`, ...keys, ...COLUMNS])})
          SELECT ${sql.join([sql.lit(made), begin, ...keys, ...SUMS])} FROM ${sql.table(from.table)}
          WHERE span = ${sql.lit(from.span)} AND ${within} GROUP BY ${order} ORDER BY ${order}`.execute(tx)
      }
      if (span === FOUR_DAYS) await packDays(tx, { from: first, until: first + span })
      const same = sql`span = ${sql.lit(span)} AND start = ${first}`
      await sql`UPDATE total_usage SET active = (SELECT ${ACTIVE} FROM key_usage WHERE ${same}),
        hours_packed = ${sql.lit(span === FOUR_DAYS ? 1 : 0)} WHERE ${same}`.execute(tx)
    }),

  /**
   * A day at a time, so that calls need not wait for the whole. A call that is written meanwhile may be missing in its day, and in the
   * total: then these are not read, and made again. What another node has made meanwhile is left to it.
   */
  async packKeys(first: number) {
    const same = sql`span = ${sql.lit(FOUR_DAYS)} AND start = ${first}`
    const { rows } = await sql<{ total: number }>`SELECT ${TOTAL} AS total FROM total_usage WHERE ${same}`.execute(db)
    const [made] = rows
    if (made === undefined) return
    for (let day = first; day < first + FOUR_DAYS; day += DAY) await packKeyDay(db, day)
    await sql`UPDATE total_usage SET keys_packed = 1 WHERE ${same} AND ${TOTAL} = ${made.total}`.execute(db)
  },
})

const COLUMNS = FIGURE_COLUMNS.map((column) => sql.ref(column))
const SUMS = COLUMNS.map((column) => sql`sum(${column})`)

/** Figures only grow, so equal totals mean equal figures. */
const TOTAL = sql`(${sql.join(COLUMNS, sql` + `)})`

const LONGER = [FOUR_DAYS, SIXTEEN_DAYS] as const
const SPANS = [DAY, ...LONGER]

interface RolledUpTable {
  table: 'total_usage' | 'site_usage' | 'key_usage'
  span: number
  from: { table: 'total_usage' | 'site_usage' | 'key_usage'; span: number }
  names: readonly string[]
}

const ROUTE = ['model_name', 'channel']
const KEY = ['user_id', 'token_name', 'username']
const ROLLED_UP: Record<Longer, readonly RolledUpTable[]> = {
  [FOUR_DAYS]: [
    // What nodes of an older version added is missing in the totals until they are made again.
    { table: 'total_usage', span: HOUR, from: { table: 'site_usage', span: HOUR }, names: [] },
    { table: 'total_usage', span: DAY, from: { table: 'site_usage', span: DAY }, names: [] },
    { table: 'total_usage', span: FOUR_DAYS, from: { table: 'total_usage', span: DAY }, names: [] },
    { table: 'site_usage', span: FOUR_DAYS, from: { table: 'site_usage', span: DAY }, names: ROUTE },
    { table: 'site_usage', span: EIGHT_HOURS, from: { table: 'site_usage', span: HOUR }, names: ROUTE },
    { table: 'key_usage', span: FOUR_DAYS, from: { table: 'key_usage', span: DAY }, names: KEY },
  ],
  [SIXTEEN_DAYS]: [
    { table: 'total_usage', span: SIXTEEN_DAYS, from: { table: 'total_usage', span: FOUR_DAYS }, names: [] },
    { table: 'site_usage', span: SIXTEEN_DAYS, from: { table: 'site_usage', span: FOUR_DAYS }, names: ROUTE },
    { table: 'key_usage', span: SIXTEEN_DAYS, from: { table: 'key_usage', span: FOUR_DAYS }, names: KEY },
  ],
}
