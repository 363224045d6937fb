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
  from: number
  until: number
  /** A day as a whole, or its hours. */
  packed: 'whole' | 'hours'
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
}

const ROWS_AT_ONCE = 200

/** Histograms of how long calls took, a row for a day. Days begin in UTC. */
export const latencyRepository = (db: Db) => ({
  /** They come in the order of their keys, in which every node locks them. */
  async add(rows: readonly LatencyRow[]) {
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
      await transact(db, (tx) => addSome(tx, rows.slice(first, first + ROWS_AT_ONCE)))
      await yieldToEventLoop()
    }
  },

  async read({ dimension, from, until, packed, models, channels, users }: LatencyQuery): Promise<PackedLatency[]> {
    return db
      .selectFrom('latency_days')
      .select(['day', 'model_name', 'channel', 'user_id', sql<string>`${sql.ref(packed)}`.as('packed')])
      .where('dimension', '=', dimension)
      .where('user_id', 'in', dimension === 'user' ? (users ?? []) : [0])
      .where('day', '>=', from)
      .where('day', '<', until)
      .$if(models !== undefined, (query) => query.where('model_name', 'in', models ?? []))
      .$if(channels !== undefined, (query) => query.where('channel', 'in', channels ?? []))
      .execute()
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
