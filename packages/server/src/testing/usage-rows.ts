import { type RawBuilder, sql } from 'kysely'
import { pack, SIZE } from '../analytics/histogram.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import { type Database, type Db, transact } from '../database/client.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { seeded } from './seeded.ts'

const USERS = 2000
const KEYS = 3000
const MODELS = 60
const CHANNELS = 40
const ROWS_AT_ONCE = 5000

type Row = (string | number)[]

const KEY = ['user_id', 'hour', 'username', 'token_name', 'model_name', 'channel']

/**
 * The figures of this many days up to now: 2,000 users with 3,000 keys, of whom a few call every day and most now and then; 60 models
 * of very different use, each at three of 40 channels; most users are in one of five groups. Returns the number of hourly rows.
 */
export const fillUsage = async ({ db, engine }: Pick<Database, 'db' | 'engine'>, days: number, now: number) => {
  // Data lost in a crash is generated again.
  if (engine === 'sqlite') await sql`PRAGMA synchronous = OFF`.execute(db)
  await makeAccounts(db)
  const random = seeded(7)
  const today = now - (now % DAY)
  let rows: Row[] = []
  let made = 0
  const flush = async () => {
    // Inlined, because a million rows of parameters take minutes.
    const values = rows.map((row) => `(${row.map((value) => (typeof value === 'number' ? value : `'${value}'`))})`)
    await insert(db, 'usage_hours', KEY, sql.raw(`VALUES ${values}`))
    made += rows.length
    rows = []
  }
  for (let day = today - (days - 1) * DAY; day <= today; day += DAY) {
    for (const row of dayOf(day, random)) {
      rows.push(row)
      if (rows.length === ROWS_AT_ONCE) await flush()
    }
  }
  if (rows.length > 0) await flush()
  await transact(db, async (tx) => {
    // In the order of time, which is always the second column: so do calls write them, and PostgreSQL stores rows as they come.
    for (const [table, key, select] of SUMMED) {
      await insert(
        tx,
        table,
        key,
        sql.raw(`SELECT ${select}, ${SUMS} FROM usage_hours GROUP BY ${grouped(key)} ORDER BY 2`),
      )
    }
  })
  for (let day = today - (days - 1) * DAY; day <= today; day += DAY)
    await db
      .insertInto('latency_days')
      .values([...timesOf(day)])
      .execute()
  await sql.raw('ANALYZE').execute(db)
  return made
}

/** In an empty database, so that they get the ids from 1 on. */
async function makeAccounts(db: Db) {
  const names = Array.from({ length: USERS }, (_, index) => {
    const id = index + 1
    const group = id % 10 < 7 ? 'default' : id % 10 < 9 ? 'vip' : `team-${id % 3}`
    return `('user-${id}', '', '', 1, 1, '${group}', 'aff-${id}', 1)`
  })
  await sql
    .raw(`INSERT INTO users (username, password, display_name, role, status, "group", aff_code, created_time)
      VALUES ${names}`)
    .execute(db)
}

function* dayOf(day: number, random: (below: number) => number): Generator<Row> {
  for (let user = 1; user <= USERS; user++) {
    // The first one calls nearly every day, the last on one day in eight.
    if (random(1000) > 900 - (user * 775) / USERS) continue
    const keys = user <= KEYS - USERS ? 2 : 1
    const seen = new Set<string>()
    for (let call = 1 + random(9); call > 0; call--) {
      const model = Math.floor((MODELS * random(1000) * random(1000)) / 1_000_000)
      const channel = channelOf(model, random(3))
      const key = random(keys)
      const hour = day + (6 + random(16)) * HOUR
      const id = `${hour} ${model} ${channel} ${key}`
      if (seen.has(id)) continue
      seen.add(id)
      const calls = 1 + random(20)
      const few = () => (random(20) === 0 ? 1 : 0)
      yield [
        ...[user, hour, `user-${user}`, `key-${key}`, `model-${model}`, channel],
        ...[calls, calls * 1500, calls * 1200, calls * 300, few(), few(), 0, few(), few(), few(), few()],
        ...[calls * 400, calls * 50, calls * 100],
      ]
    }
  }
}

const channelOf = (model: number, nth: number) => ((model * 7 + nth) % CHANNELS) + 1

/** As many buckets as a busy model fills in each hour of a day, for everything with latencies. */
function* timesOf(day: number) {
  const nothing = { day, model_name: '', channel: 0, user_id: 0, ...TIMES }
  yield { ...nothing, dimension: 'all' }
  for (let channel = 1; channel <= CHANNELS; channel++) yield { ...nothing, dimension: 'channel', channel }
  for (let model = 0; model < MODELS; model++) yield { ...nothing, dimension: 'model', model_name: `model-${model}` }
  for (let model = 0; model < MODELS; model++)
    for (let nth = 0; nth < 3; nth++)
      yield { ...nothing, dimension: 'both', model_name: `model-${model}`, channel: channelOf(model, nth) }
  for (let user = 1; user <= 100; user++) yield { ...nothing, dimension: 'user', user_id: user }
}

const BUCKETS = [0, 100, 200].flatMap((measure) => Array.from({ length: 12 }, (_, place) => measure + 30 + 2 * place))
const HOURS = Array.from({ length: 16 }, (_, hour) => hour + 6)
const TIMES = {
  whole: pack(new Map(BUCKETS.map((bucket) => [bucket, 100]))),
  hours: pack(new Map(HOURS.flatMap((hour) => BUCKETS.map((bucket): [number, number] => [hour * SIZE + bucket, 9])))),
}

const SUMS = FIGURE_COLUMNS.map((column) => `sum(${column})`).join(', ')

const SUMMED: [table: string, key: string[], select: string][] = [
  [
    'usage_days',
    ['user_id', 'day', 'username', 'token_name', 'model_name', 'channel'],
    `user_id, hour - hour % ${DAY}, username, token_name, model_name, channel`,
  ],
  ...[HOUR, DAY].flatMap((span): [string, string[], string][] => [
    ['total_usage', ['span', 'start'], `${span}, hour - hour % ${span}`],
    ['site_usage', ['span', 'start', 'model_name', 'channel'], `${span}, hour - hour % ${span}, model_name, channel`],
    [
      'key_usage',
      ['span', 'start', 'user_id', 'token_name', 'username'],
      `${span}, hour - hour % ${span}, user_id, token_name, username`,
    ],
  ]),
]

const grouped = (key: readonly string[]) =>
  key.flatMap((name, place) => (name === 'span' ? [] : [place + 1])).join(', ')

const insert = (db: Db, table: string, key: readonly string[], rows: RawBuilder<unknown>) =>
  sql`INSERT INTO ${sql.table(table)} (${sql.join([...key, ...FIGURE_COLUMNS].map((name) => sql.ref(name)))}) ${rows}`.execute(
    db,
  )
