import { sql } from 'kysely'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Tx } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import { isOfUsers, type Part, type SumsFilter } from './sums-repository.ts'

/** The hours of a day, of one model or one channel. */
export type FigureDay = Omit<Schema['figure_days'], 'dimension'>

interface FigureDaysQuery {
  dimension: 'model' | 'channel'
  filter: SumsFilter
  from: number
  until: number
}

/** Days that begin in UTC, for all other zones: their hours are too many to be read as rows. */
export const figureDaysRepository = (db: FiguresDb) => ({
  async read({ dimension, filter, from, until }: FigureDaysQuery): Promise<FigureDay[]> {
    const models = filter.model === undefined ? filter.models : [filter.model]
    const channels = filter.channel === undefined ? filter.channels : [filter.channel]
    if (models?.length === 0 || channels?.length === 0) return []
    return db
      .selectFrom('figure_days')
      .select(['model_name', 'channel', 'day', 'hours'])
      .where('dimension', '=', dimension)
      .where('day', '>=', from - (from % DAY))
      .where('day', '<', until)
      .$if(models !== undefined, (query) => query.where('model_name', 'in', models ?? []))
      .$if(channels !== undefined, (query) => query.where('channel', 'in', channels ?? []))
      .execute()
  },
})

/** Which of the packed figures answer a question; undefined if none do. */
export const packedDimension = (parts: readonly Part[], filter: SumsFilter) => {
  if (isOfUsers(filter) || parts.some((part) => part !== 'model' && part !== 'channel')) return undefined
  const byModel = filter.model !== undefined || parts.includes('model')
  const byChannel = filter.channel !== undefined || parts.includes('channel')
  if (byModel === byChannel) return undefined
  return byModel ? 'model' : 'channel'
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
