import { sql } from 'kysely'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'
import { type Counts, pack, SIZE, unpack } from './histogram.ts'

export type LatencyDimension = 'all' | 'model' | 'channel' | 'both' | 'user'

/** The histograms of one day. What its dimension does not name is '' or 0. */
export interface LatencyRow {
  dimension: LatencyDimension
  day: number
  model_name: string
  channel: number
  user_id: number
  /** By the hour of the day: `hour * SIZE + bucket`. */
  hours: Counts
}

export interface LatencyQuery {
  dimension: LatencyDimension
  /** Days to read as a whole, and by the hour. */
  wholeDays: readonly number[]
  hourDays: readonly number[]
  models?: readonly string[] | undefined
  channels?: readonly number[] | undefined
  users?: readonly number[] | undefined
}

export interface PackedLatency {
  day: number
  model_name: string
  channel: number
  user_id: number
  packed: string
  by_hour: number
}

const ROWS_AT_ONCE = 200

/** Histograms of how long calls took, a row for a day. Days begin in UTC. */
export const latencyRepository = (db: Db) => ({
  /** They come in the order of their keys, in which every node locks them. Removes from `rows` what is written, so that an error leaves the rest. */
  async add(rows: LatencyRow[]) {
    while (rows.length > 0) {
      const some = rows.slice(0, ROWS_AT_ONCE)
      await transact(db, (tx) => addSome(tx, some))
      rows.splice(0, some.length)
      await yieldToEventLoop()
    }
  },

  async read({ dimension, wholeDays, hourDays, models, channels, users }: LatencyQuery): Promise<PackedLatency[]> {
    const conditions = [
      sql`dimension = ${dimension} AND user_id IN (${sql.join(dimension === 'user' ? (users ?? []) : [0])})`,
      ...(models === undefined ? [] : [sql`model_name IN (${sql.join(models)})`]),
      ...(channels === undefined ? [] : [sql`channel IN (${sql.join(channels)})`]),
    ]
    // Each day as a value, because after a range the index would not lead to the models.
    const selects = [
      { days: wholeDays, packed: sql`whole`, byHour: 0 },
      { days: hourDays, packed: sql`hours`, byHour: 1 },
    ].flatMap(({ days, packed, byHour }) =>
      days.length === 0
        ? []
        : sql`SELECT day, model_name, channel, user_id, ${packed} AS packed, ${sql.lit(byHour)} AS by_hour FROM latency_days
          WHERE ${sql.join(conditions, sql` AND `)} AND day IN (${sql.join(days)})`,
    )
    const isOfNothing = models?.length === 0 || channels?.length === 0
    if (isOfNothing || selects.length === 0) return []
    return (await sql<PackedLatency>`${sql.join(selects, sql` UNION ALL `)}`.execute(db)).rows
  },
})

/** First writes no change, which locks the rows and returns their content: nobody can change them in between. */
export async function addSome(tx: Tx, rows: readonly LatencyRow[]) {
  if (rows.length === 0) return
  const key = ({ dimension, user_id, day, model_name, channel }: Omit<Schema['latency_days'], 'whole' | 'hours'>) =>
    `${dimension} ${user_id} ${day} ${channel} ${model_name}`
  const names = ({ dimension, user_id, day, model_name, channel }: LatencyRow) => ({
    ...{ dimension, user_id, day, model_name, channel },
  })
  const known = await tx
    .insertInto('latency_days')
    .values(rows.map((row) => ({ ...names(row), whole: '', hours: '' })))
    .onConflict((conflict) => conflict.columns(KEY).doUpdateSet({ hours: sql`latency_days.hours` }))
    .returning(['dimension', 'user_id', 'day', 'model_name', 'channel', 'hours'])
    .execute()
  const packed = new Map(known.map(({ hours, ...row }) => [key(row), hours]))
  const grown = rows.map((row) => {
    const hours: Counts = new Map(row.hours)
    const whole: Counts = new Map()
    unpack(packed.get(key(row)) ?? '', (place, count) => hours.set(place, (hours.get(place) ?? 0) + count))
    for (const [place, count] of hours) whole.set(place % SIZE, (whole.get(place % SIZE) ?? 0) + count)
    return { ...names(row), whole: pack(whole), hours: pack(hours) }
  })
  await tx
    .insertInto('latency_days')
    .values(grown)
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet({ whole: sql`excluded.whole`, hours: sql`excluded.hours` }),
    )
    .execute()
}

const KEY = ['dimension', 'user_id', 'day', 'model_name', 'channel'] as const
