import { sql } from 'kysely'
import { type Db, type Tx, transact } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'

/** What the log is looked through for by the hours that have it. */
const DIMENSIONS = ['model_name', 'token_name', 'channel'] as const

const SPAN_SEC = 3600
const MARK = 'log spans'
/** A database in this very process holds everything up while it reads. */
const ENTRIES_AT_ONCE = 1000
const SPANS_AT_ONCE = 500
const FAR = Number.MAX_SAFE_INTEGER

/** A part of the log by time, both ends within it; 0 is no end. */
export interface Range {
  from: number
  until: number
}

/** An entry has that value in that column. */
interface Valued {
  column: string
  value: string | number
}

/**
 * The entries up to `done` are in the spans. `seen` is the newest one there was at the last look: by the next, whatever was
 * being written with a smaller id has been written.
 */
interface Mark {
  done: number
  seen: number
}

/** Whether the hours of a value are known. */
export const hasSpans = ({ column }: Valued) => DIMENSIONS.some((dimension) => dimension === column)

/** Notes the hours of some entries that are not noted yet. Answers whether there are more. */
export const noteSomeSpans = (db: Db) =>
  transact(db, async (tx) => {
    const { done, seen } = await markOf(tx)
    const upTo = Math.min(seen, (await idAfter(tx, done)) ?? seen)
    if (upTo <= done) return false
    await note(tx, done, upTo)
    await setMark(tx, { done: upTo, seen })
    return upTo < seen
  })

/** From here on the entries that there are now can be noted. */
export const lookForSpans = async (db: Db) => {
  const mark = await markOf(db)
  const seen = await newestId(db)
  if (seen > mark.seen) await setMark(db, { ...mark, seen })
}

/** The hours before the oldest entry are of no use any more. */
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
 * The parts of a range that can have entries for which all the conditions hold, newest first: the hours that have each of
 * their values, and everything since the oldest entry whose hours are not noted yet.
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

/** Hours that follow each other are one part of the log, also across a few others. */
function joined(starts: readonly number[], gap: number) {
  const parts: { first: number; end: number }[] = []
  for (const start of starts) {
    const part = parts.at(-1)
    if (part !== undefined && part.first - start <= (gap + 1) * SPAN_SEC) part.first = start
    else parts.push({ first: start, end: start + SPAN_SEC - 1 })
  }
  return parts
}

/** To pass over some entries takes less time than to ask for the part behind them. */
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

/** The users whose entries the log has under a name, and whether it has them under other names too. */
interface Named {
  ids: number[]
  otherNames: boolean
}

/** Nothing where too many entries would have to be read to know. */
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

/** What is not noted yet: a minute or two of entries, but all of them while those of an earlier version are being noted. */
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
    // Not the column itself: its index would be walked from the oldest entry on until one is new enough.
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
    // Entries that are no calls have none of them.
    const none = dimension === 'channel' ? sql`0` : sql`''`
    await sql`INSERT INTO log_spans (dimension, value, start)
      SELECT DISTINCT ${sql.lit(dimension)}, CAST(${column} AS text), created_at - created_at % ${sql.lit(SPAN_SEC)}
      ${some} AND ${column} <> ${none} ON CONFLICT DO NOTHING`.execute(tx)
  }
  await sql`INSERT INTO log_users (username, user_id) SELECT DISTINCT username, user_id ${some}
    ON CONFLICT DO NOTHING`.execute(tx)
}
