import { sql } from 'kysely'
import { DAY } from '../common/time-units.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import { type LatencyPackKind, type Pack, type PackedDays, type PackKind, packsRepository } from './packs-repository.ts'

export type FigurePackKind = Exclude<PackKind, LatencyPackKind>

/** Of the packs of `calls`, the one that a model is in. */
export const partOf = (model: string) => {
  let sum = 0
  for (let at = 0; at < model.length; at++) sum = (sum * 31 + model.charCodeAt(at)) % PARTS.calls
  return sum
}

/** With seven, a question about one model reads little of the others, and one about all does not read thousands of packs. */
const PARTS: Record<FigurePackKind, number> = { total: 1, routes: 1, keys: 1, calls: 7 }

/** All parts of a kind, or the one with this model. */
export const partsOf = (kind: FigurePackKind, model: string | undefined) =>
  kind === 'calls' && model !== undefined ? [partOf(model)] : Array.from({ length: PARTS[kind] }, (_, part) => part)

/** The figures of finished days, packed by a job. */
export const figurePacksRepository = (db: FiguresDb) => ({
  /**
   * The starts of the packed days that may be read. Their figures only grow: a pack is complete as long as the sum of all its figures
   * is that of its days, so that code that changes an old day need not know of packs.
   */
  async valid({ from, until }: { from: number; until: number }) {
    const { rows } = await sql<PackedDays & { total: number; days: number | null }>`SELECT span, start, total,
      (SELECT CAST(sum(${TOTAL}) AS bigint) FROM total_usage WHERE span = ${sql.lit(DAY)}
        AND total_usage.start >= packed_days.start AND total_usage.start < packed_days.start + packed_days.span) AS days
      FROM packed_days WHERE start >= ${from} AND start < ${until}`.execute(db)
    return rows.filter(({ total, days }) => total === days)
  },

  /** As `valid`, but against the days of `site_usage`: nodes of an older version do not add to `total_usage`. */
  async isUpToDate({ span, start }: PackedDays) {
    const { rows } = await sql<{ total: number | null; days: number | null }>`SELECT
      (SELECT total FROM packed_days WHERE span = ${span} AND start = ${start}) AS total,
      (SELECT CAST(sum(${TOTAL}) AS bigint) FROM site_usage
        WHERE span = ${sql.lit(DAY)} AND start >= ${start} AND start < ${start + span}) AS days`.execute(db)
    return rows[0]?.total === rows[0]?.days
  },

  /** The sum of all figures of some days, by which a pack of them is compared later. */
  async totalOf({ span, start }: PackedDays) {
    const { rows } = await sql<{ total: number }>`SELECT CAST(coalesce(sum(${TOTAL}), 0) AS bigint) AS total
      FROM total_usage WHERE span = ${sql.lit(DAY)} AND start >= ${start} AND start < ${start + span}`.execute(db)
    return rows[0]?.total ?? 0
  },

  write: ({ span, start }: PackedDays, total: number, packs: readonly Pack[]) =>
    packsRepository(db).write(packs, (tx) =>
      sql`INSERT INTO packed_days (span, start, total) VALUES (${span}, ${start}, ${total})
        ON CONFLICT (span, start) DO UPDATE SET total = excluded.total`.execute(tx),
    ),

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
})

/** Figures only grow, so equal totals mean equal figures. */
const TOTAL = sql.raw(`(${FIGURE_COLUMNS.join(' + ')})`)
