import { sql } from 'kysely'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Tx } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import { isOfUsers, type Part, type SumsFilter } from './sums-repository.ts'
import type { Span } from './time-slices.ts'
import { EIGHT_HOURS, FOUR_DAYS, SIXTEEN_DAYS } from './zone-time.ts'

/** The hours of a day: of one model, of one channel, or of one model at one channel by key. */
export type FigureDay = Omit<Schema['figure_days'], 'dimension'>

export type PackedDimension = 'model' | 'channel' | 'key'

export interface PackedFigures {
  dimension: PackedDimension
  /** Longer spans have rows of their own, which are fewer. */
  spanMax: Span
}

interface FigureDaysQuery {
  dimension: PackedDimension
  filter: SumsFilter
  from: number
  until: number
}

/** Days that begin in UTC, with their hours for all other zones. Their hours, or their keys, are too many to be read as rows. */
export const figureDaysRepository = (db: FiguresDb) => ({
  async read({ dimension, filter, from, until }: FigureDaysQuery): Promise<FigureDay[]> {
    const models = filter.model === undefined ? filter.models : [filter.model]
    const channels = filter.channel === undefined ? filter.channels : [filter.channel]
    if (models?.length === 0 || channels?.length === 0) return []
    // Rows are stored by name: listing the names of this period skips all other periods.
    const routes = sql`SELECT DISTINCT model_name, channel FROM site_usage
      WHERE span = ${sql.lit(FOUR_DAYS)} AND start >= ${from - (from % FOUR_DAYS)} AND start < ${until}`
    const conditions = [
      sql`dimension = ${dimension} AND day >= ${from - (from % DAY)} AND day < ${until}`,
      ...(models === undefined ? [] : [sql`model_name IN (${sql.join(models)})`]),
      ...(channels === undefined ? [] : [sql`channel IN (${sql.join(channels)})`]),
      ...(dimension === 'key' ? [sql`(model_name, channel) IN (${routes})`] : []),
    ]
    const { rows } = await sql<FigureDay>`SELECT model_name, channel, day, hours FROM figure_days
      WHERE ${sql.join(conditions, sql` AND `)}`.execute(db)
    return rows
  },
})

/** Which of the packed figures answer a question, and for which spans; undefined if none do. */
export const packedFor = (parts: readonly Part[], filter: SumsFilter): PackedFigures | undefined => {
  const byModel = filter.model !== undefined || parts.includes('model')
  const byChannel = filter.channel !== undefined || parts.includes('channel')
  const byGroup = parts.includes('group')
  if (isOfUsers(filter) || byGroup || parts.includes('user') || parts.includes('key')) {
    const isOfRoute = filter.model !== undefined || filter.channel !== undefined
    const isOfFew = filter.groups !== undefined && filter.isOfMost !== true && !isOfRoute
    // Of a user, or of a small group, there are fewer rows than keys to unpack.
    if (filter.users !== undefined || isOfFew) return undefined
    if (byModel || byChannel) return { dimension: 'key', spanMax: SIXTEEN_DAYS }
    return byGroup ? { dimension: 'key', spanMax: EIGHT_HOURS } : undefined
  }
  if (byModel === byChannel) return undefined
  return { dimension: byModel ? 'model' : 'channel', spanMax: EIGHT_HOURS }
}

/** Packs the hours of some days, again if they were: a line for each hour, with its number and its figures. */
export const packDays = async (tx: Tx, { from, until }: { from: number; until: number }) => {
  for (const [dimension, model, channel] of [
    ['model', sql`model_name`, sql`0`],
    ['channel', sql`''`, sql`channel`],
  ] as const)
    await sql`INSERT INTO figure_days (dimension, model_name, channel, day, hours)
      SELECT ${sql.lit(dimension)}, model, channel_id, start - start % ${sql.lit(DAY)}, string_agg(${LINE}, '\n')
      FROM (SELECT ${model} AS model, ${channel} AS channel_id, start, ${SUMS} FROM site_usage
        WHERE span = ${sql.lit(HOUR)} AND start >= ${from} AND start < ${until} GROUP BY 1, 2, 3) AS found
      GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
      ON CONFLICT (dimension, model_name, channel, day) DO UPDATE SET hours = excluded.hours`.execute(tx)
}

const SUMS = sql.raw(FIGURE_COLUMNS.map((column) => `sum(${column}) AS ${column}`).join(', '))
const LINE = sql.raw(`(start % ${DAY} / ${HOUR}) || ' ' || ${FIGURE_COLUMNS.join(` || ' ' || `)}`)
