import { type LogFilter, LogType } from '@tollgate/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { contains } from '../database/like.ts'
import type { Schema } from '../database/schema.ts'

/** Whose rows: one user's, or everybody's. */
export type Scope = { userId: number } | 'everyone'

/** What is looked for in the log. */
export interface Wanted {
  scope: Scope
  filter: LogFilter
  /** A part of an entry's text. */
  keyword?: string
}

/** A place in the log, which is read from the newest entry to the oldest. */
interface Place {
  created_at: number
  id: number
}

/** How the entries are found: along the index of one condition, taking those for which the others hold. */
export interface Walk {
  lead: Condition | undefined
  others: readonly Condition[]
  keyword: string
  from: number
  until: number
  /** How many entries the lead has, counted no further than asked. */
  counted: number
}

/** The columns by which the log has an index. */
export interface Condition {
  column: 'user_id' | 'username' | 'token_name' | 'model_name' | 'channel' | 'type' | 'session'
  value: string | number
}

export const conditionsOf = ({ scope, filter }: Wanted): Condition[] => {
  const { username, token_name, model_name, channel, type, session } = filter
  const conditions: Condition[] = [
    { column: 'session', value: session },
    { column: 'username', value: username },
    { column: 'token_name', value: token_name },
    { column: 'model_name', value: model_name },
    { column: 'channel', value: channel === 0 ? '' : channel },
    { column: 'type', value: type === LogType.all ? '' : type },
  ]
  const given = conditions.filter(({ value }) => value !== '')
  return scope === 'everyone' ? given : [{ column: 'user_id', value: scope.userId }, ...given]
}

/**
 * Reads along the index of whichever condition has the fewest entries. The database would have to guess which that is;
 * here each is counted, no further than `countMax`, which costs a millisecond.
 */
export const planWalk = async (db: Db, wanted: Wanted, countMax: number): Promise<Walk> => {
  const { filter, keyword = '' } = wanted
  const range = { from: filter.start_timestamp, until: filter.end_timestamp }
  const conditions = conditionsOf(wanted)
  const candidates = conditions.length === 0 ? [undefined] : conditions
  let best: { lead: Condition | undefined; counted: number } | undefined
  for (const lead of candidates) {
    const counted = await countUpTo(db, { lead, ...range }, countMax)
    if (best === undefined || counted < best.counted) best = { lead, counted }
  }
  const { lead, counted } = best ?? { lead: undefined, counted: 0 }
  return { lead, others: conditions.filter((condition) => condition !== lead), keyword, ...range, counted }
}

/** Whether every entry along the way is one that was asked for. */
export const isPlain = ({ others, keyword }: Walk) => others.length === 0 && keyword === ''

/** The next `size` entries along the way after a place: the ids of those that were asked for, and where that ended. */
export const stretch = async (db: Db, walk: Walk, after: Place | undefined, size: number) => {
  if (isPlain(walk)) {
    const places = await along(db, walk, after).select(['created_at', 'id']).limit(size).execute()
    return { ids: places.map(({ id }) => id), end: places.length < size ? undefined : places.at(-1) }
  }
  const end = await placeAfter(db, walk, after, size)
  // The inner query is finished before the other conditions are looked at: no other index can be tempting. It asks for
  // no more columns than needed, because the lead's index has them, and the entries need not be read.
  const passed = along(db, walk, after)
    .select(['id', 'created_at', ...walk.others.map(({ column }) => column)])
    .$if(walk.keyword !== '', (query) => query.select(TEXTS))
    .limit(size)
  // It has every column that is named from here on, which the compiler cannot follow through a list of conditions.
  const candidates = db.selectFrom(passed.as('logs')) as unknown as LogQuery
  const hits = await walk.others
    .reduce((query, { column, value }) => query.where(column, '=', value), candidates)
    .$if(walk.keyword !== '', (query) =>
      query.where((column) => column.or(TEXTS.map((text) => contains(column.ref(text), walk.keyword)))),
    )
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { ids: hits.map(({ id }) => id), end }
}

/** The quota of an agent's conversation, along its own index: no figures are kept of it. */
export const sumOfSession = async (db: Db, { scope, filter }: Wanted) => {
  const { session, start_timestamp: from, end_timestamp: until } = filter
  const others = conditionsOf({ scope, filter: { ...filter, session: '' } })
  // The limit keeps the database from looking at the other conditions first.
  const entries = along(db, { lead: { column: 'session', value: session }, from, until })
    .select(['quota', ...others.map(({ column }) => column)])
    .limit(SESSION_MAX)
  // As in `stretch`: it has every column that is named from here on.
  const candidates = db.selectFrom(entries.as('logs')) as unknown as LogQuery
  const { quota } = await others
    .reduce((query, { column, value }) => query.where(column, '=', value), candidates)
    .select(sql<number>`CAST(coalesce(sum(quota), 0) AS bigint)`.as('quota'))
    .executeTakeFirstOrThrow()
  return quota
}

const SESSION_MAX = 100_000

/** The place after `count` entries, or nothing when there are fewer. */
export const placeAfter = (db: Db, walk: Walk, after: Place | undefined, count: number): Promise<Place | undefined> =>
  along(db, walk, after)
    .select(['created_at', 'id'])
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst()

type LogQuery = SelectQueryBuilder<Schema, 'logs', object>

const TEXTS = ['content', 'content_en'] as const

function along(db: Db, { lead, from, until }: Pick<Walk, 'lead' | 'from' | 'until'>, after?: Place): LogQuery {
  const last = after?.created_at ?? until
  return db
    .selectFrom('logs')
    .$if(lead !== undefined, (query) => (lead === undefined ? query : query.where(lead.column, '=', lead.value)))
    .$if(from !== 0, (query) => query.where('created_at', '>=', from))
    .$if(last !== 0, (query) => query.where('created_at', '<=', last))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at < ${after?.created_at} OR id < ${after?.id})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

async function countUpTo(db: Db, way: Pick<Walk, 'lead' | 'from' | 'until'>, max: number) {
  const { counted } = await db
    .selectFrom(along(db, way).select('id').limit(max).as('some'))
    .select(sql<number>`count(*)`.as('counted'))
    .executeTakeFirstOrThrow()
  return counted
}
