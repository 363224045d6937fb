import { sql } from 'kysely'
import { DAY } from '../common/time-units.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import { type FigurePackKind, type Pack, type PackedDays, packsRepository } from './packs-repository.ts'

/** Of the packs of `calls`, the one that a model is in. */
export const partOf = (model: string) => {
  let sum = 0
  for (let at = 0; at < model.length; at++) sum = (sum * 31 + model.charCodeAt(at)) % BY_MODEL
  return sum
}

/** With seven, a question about one model reads little of the others, and one about all does not read thousands of packs. */
const BY_MODEL = 7

/** All parts of a kind, or the one with this model. */
export const partsOf = (kind: Exclude<FigurePackKind, 'routes until'>, model: string | undefined) => {
  if (kind !== 'calls' && kind !== 'callers') return [0]
  return model === undefined ? Array.from({ length: BY_MODEL }, (_, part) => part) : [partOf(model)]
}

/** The figures of finished days, packed by a job. */
export const figurePacksRepository = (db: FiguresDb) => ({
  /**
   * The starts of the packed days that may be read. Their figures only grow: a pack is complete as long as the sum of all its figures
   * is that of its days, so that code that changes an old day need not know of packs.
   */
  async valid({ from, until }: { from: number; until: number }) {
    const { rows } = await sql<
      Marked & { days: number | null }
    >`SELECT packed_days.span, packed_days.start, total, bytes,
      (SELECT CAST(sum(${TOTAL}) AS bigint) FROM total_usage WHERE span = ${sql.lit(DAY)}
        AND total_usage.start >= packed_days.start AND total_usage.start < packed_days.start + packed_days.span) AS days
      FROM packed_days ${MARKS} WHERE packed_days.start >= ${from} AND packed_days.start < ${until}`.execute(db)
    return rows
      .filter((row) => row.total === row.days && isMarked(row))
      .map(({ span, start, total }) => ({ span, start, total }))
  },

  /** As `valid`, but against the days of `site_usage`: nodes of an older version do not add to `total_usage`. */
  async isUpToDate({ span, start }: PackedDays) {
    const { rows } = await sql<Marked>`SELECT packed_days.span, packed_days.start, total, bytes
      FROM packed_days ${MARKS} WHERE packed_days.span = ${span} AND packed_days.start = ${start}`.execute(db)
    const { rows: sums } = await sql<{
      days: number | null
    }>`SELECT CAST(sum(${TOTAL}) AS bigint) AS days FROM site_usage
      WHERE span = ${sql.lit(DAY)} AND start >= ${start} AND start < ${start + span}`.execute(db)
    const days = sums[0]?.days ?? null
    return days === null || rows.some((row) => row.total === days && isMarked(row))
  },

  /** The sum of all figures of some days, by which a pack of them is compared later. */
  async totalOf({ span, start }: PackedDays) {
    const { rows } = await sql<{ total: number }>`SELECT CAST(coalesce(sum(${TOTAL}), 0) AS bigint) AS total
      FROM total_usage WHERE span = ${sql.lit(DAY)} AND start >= ${start} AND start < ${start + span}`.execute(db)
    return rows[0]?.total ?? 0
  },

  write: ({ span, start }: PackedDays, total: number, packs: readonly Pack[]) =>
    packsRepository(db).write([...packs, { kind: 'figures', span, start, part: 0, bytes: markOf(total) }], (tx) =>
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

interface Marked extends PackedDays {
  total: number
  bytes: Uint8Array
}

/** Nodes of an older version write some of the packs and the total, but not this mark. */
const MARKS = sql`JOIN figure_packs ON figure_packs.kind = 'figures' AND figure_packs.part = 0
  AND figure_packs.span = packed_days.span AND figure_packs.start = packed_days.start`

const markOf = (total: number) => new TextEncoder().encode(String(total))

const isMarked = ({ total, bytes }: Marked) => new TextDecoder().decode(bytes) === String(total)
