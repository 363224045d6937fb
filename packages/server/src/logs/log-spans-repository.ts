import { sql } from 'kysely'
import { type Db, type Tx, transact } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'

/** Columns for which the hours with entries are recorded. */
const DIMENSIONS = ['model_name', 'token_name', 'channel'] as const

const SPAN_SEC = 3600
const MARK = 'log spans'
/** An embedded database blocks the process while it reads. */
const ENTRIES_AT_ONCE = 1000
const SPANS_AT_ONCE = 500
const FAR = Number.MAX_SAFE_INTEGER

/** A time range of the log, both ends inclusive; 0 means open. */
export interface Range {
  from: number
  until: number
}

/** A value of a column. */
interface Valued {
  column: string
  value: string | number
}

/**
 * Entries up to `done` are recorded in the spans. `seen` is the newest id at the last run: by the next run, transactions with
 * smaller ids have been committed.
 */
interface Mark {
  done: number
  seen: number
}

/** Whether hours are recorded for the column. */
export const hasSpans = ({ column }: Valued) => DIMENSIONS.some((dimension) => dimension === column)

/** Records the hours of some further entries. Returns whether there are more. */
export const noteSomeSpans = (db: Db) =>
  transact(db, async (tx) => {
    const { done, seen } = await markOf(tx)
    const upTo = Math.min(seen, (await idAfter(tx, done)) ?? seen)
    if (upTo <= done) return false
    await note(tx, done, upTo)
    await setMark(tx, { done: upTo, seen })
    return upTo < seen
  })

/** The current entries can be recorded from the next run on. */
export const lookForSpans = async (db: Db) => {
  const mark = await markOf(db)
  const seen = await newestId(db)
  if (seen > mark.seen) await setMark(db, { ...mark, seen })
}

/** Removes hours before the oldest entry. */
export const removeOldSpans = async (db: Db) => {
  const { oldest } = await db
    .selectFrom('logs')
    .select((logs) => logs.fn.min('created_at').as('oldest'))
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('log_spans')
    .where('start', '<=', (oldest ?? 0) - SPAN_SEC)
    .execute()
}

/**
 * The parts of a range that can have entries for all conditions, newest first: the hours that have each of the values, and
 * everything since the oldest entry that is not recorded yet.
 */
export async function* rangesOf(db: Db, conditions: readonly Valued[], range: Range): AsyncGenerator<Range> {
  const { from, until } = range
  const since = (await notNotedSince(db)) ?? FAR
  if (until === 0 || until >= since) yield { from: Math.max(from, since), until }
  if (since <= from) return
  const last = Math.min(until === 0 ? FAR : until, since - 1)
  const gap = await spansPassedOver(db)
  let before = last
  for (;;) {
    const starts = await commonSpans(db, conditions, { from, until: before })
    for (const { first, end } of joined(starts, gap)) {
      yield { from: Math.max(from, first), until: Math.min(last, end) }
    }
    const oldest = starts.at(-1)
    if (starts.length < SPANS_AT_ONCE || oldest === undefined) return
    before = oldest - 1
  }
}

/** Merges consecutive hours, also across small gaps. */
function joined(starts: readonly number[], gap: number) {
  const parts: { first: number; end: number }[] = []
  for (const start of starts) {
    const part = parts.at(-1)
    if (part !== undefined && part.first - start <= (gap + 1) * SPAN_SEC) part.first = start
    else parts.push({ first: start, end: start + SPAN_SEC - 1 })
  }
  return parts
}

/** Skipping some entries is faster than a query for the part behind them. */
async function spansPassedOver(db: Db) {
  const first = await db.selectFrom('logs').select(['id', 'created_at']).orderBy('id').limit(1).executeTakeFirst()
  const last = await db
    .selectFrom('logs')
    .select(['id', 'created_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined || last === undefined) return 0
  const spans = Math.max(1, (last.created_at - first.created_at) / SPAN_SEC)
  return Math.floor((PASSED_OVER * spans) / (last.id - first.id + 1))
}

const PASSED_OVER = 500

async function commonSpans(db: Db, [lead, ...others]: readonly Valued[], { from, until }: Range) {
  const has = ({ column, value }: Valued, start: unknown) =>
    sql`dimension = ${column} AND value = ${String(value)} AND start = ${start}`
  const all = others.map((other) => sql`EXISTS (SELECT 1 FROM log_spans WHERE ${has(other, sql`hours.start`)})`)
  const { rows } = await sql<{ start: number }>`SELECT start FROM log_spans AS hours
    WHERE dimension = ${lead?.column} AND value = ${String(lead?.value)} AND start > ${from - SPAN_SEC} AND start <= ${until}
    ${all.length === 0 ? sql`` : sql`AND ${sql.join(all, sql` AND `)}`}
    ORDER BY start DESC LIMIT ${SPANS_AT_ONCE}`.execute(db)
  return rows.map(({ start }) => start)
}

/** The users with entries under a name, and whether they have entries under other names too. */
interface Named {
  ids: number[]
  otherNames: boolean
}

/** Undefined when finding out would read too many entries. */
export const usersNamed = async (db: Db, username: string): Promise<Named | undefined> => {
  const { done, isLong } = await tailOf(db)
  if (isLong) return undefined
  const tail = await db.selectFrom('logs').select(['username', 'user_id']).distinct().where('id', '>', done).execute()
  const noted = await db.selectFrom('log_users').select('user_id').where('username', '=', username).execute()
  const named = [...noted, ...tail.filter((user) => user.username === username)]
  const ids = [...new Set(named.map(({ user_id }) => user_id))]
  const before =
    ids.length === 0 ? [] : await db.selectFrom('log_users').selectAll().where('user_id', 'in', ids).execute()
  const otherNames = [...before, ...tail].some((user) => user.username !== username && ids.includes(user.user_id))
  return { ids, otherNames }
}

async function markOf(db: Db): Promise<Mark> {
  const text = await metaRepository(db).get(MARK)
  return text === undefined ? { done: 0, seen: 0 } : JSON.parse(text)
}

const setMark = (db: Db, mark: Mark) => metaRepository(db).set(MARK, JSON.stringify(mark))

/** Entries that are not recorded yet: a minute or two, but all of them while an earlier version's are being recorded. */
async function tailOf(db: Db) {
  const { done } = await markOf(db)
  return { done, isLong: (await newestId(db)) - done > TAIL_MAX }
}

const TAIL_MAX = 50_000

/** Since when entries may be missing in the spans; 0 for all of them. */
async function notNotedSince(db: Db) {
  const { done, isLong } = await tailOf(db)
  if (isLong) return 0
  const { since } = await db
    .selectFrom('logs')
    // Not the plain column: its index would be scanned from the oldest entry on until one is new enough.
    .select(sql<number | null>`min(created_at + 0)`.as('since'))
    .where('id', '>', done)
    .executeTakeFirstOrThrow()
  return since
}

async function idAfter(db: Db, done: number) {
  const row = await db
    .selectFrom('logs')
    .select('id')
    .where('id', '>', done)
    .orderBy('id')
    .limit(1)
    .offset(ENTRIES_AT_ONCE - 1)
    .executeTakeFirst()
  return row?.id
}

async function newestId(db: Db) {
  const row = await db.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

async function note(tx: Tx, after: number, upTo: number) {
  const some = sql`FROM logs WHERE id > ${after} AND id <= ${upTo}`
  for (const dimension of DIMENSIONS) {
    const column = sql.ref(dimension)
    // Entries that are not calls have no values.
    const none = dimension === 'channel' ? sql`0` : sql`''`
    await sql`INSERT INTO log_spans (dimension, value, start)
      SELECT DISTINCT ${sql.lit(dimension)}, CAST(${column} AS text), created_at - created_at % ${sql.lit(SPAN_SEC)}
      ${some} AND ${column} <> ${none} ON CONFLICT DO NOTHING`.execute(tx)
  }
  await sql`INSERT INTO log_users (username, user_id) SELECT DISTINCT username, user_id ${some}
    ON CONFLICT DO NOTHING`.execute(tx)
}
