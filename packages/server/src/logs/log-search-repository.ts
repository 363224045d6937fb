import { LogType } from '@tollgate/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { allGroupLists, groupLists, membersOf } from '../database/group-members.ts'
import { contains } from '../database/like.ts'
import type { Schema } from '../database/schema.ts'
import {
  type Condition,
  columnsOf,
  conditionsOf,
  IN_ENTRIES,
  isOneValue,
  type LogSearch,
  type MembersOnly,
  type OneValue,
} from './log-conditions.ts'
import { hasSpans, type Range, rangesOf, usersNamed } from './log-spans-repository.ts'

/** A position in the log, which is read from the newest entry to the oldest. */
export interface LogPosition {
  created_at: number
  id: number
}

type Lead = OneValue | MembersOnly

/** The plan of a search: along the index of one condition, filtered by the others. */
export interface SearchPlan {
  lead: Lead | undefined
  others: readonly Condition[]
  keyword: string
  range: Range
  /** Conditions whose recorded hours let the search skip parts of the log. */
  shortCuts: readonly OneValue[]
  /** How many entries the lead has, counted up to a limit. */
  counted: number
}

/** The same for the indexes, which have user ids instead of names and groups. */
export const indexedConditions = async (db: Db, search: LogSearch): Promise<Condition[]> => {
  const indexed: Condition[] = []
  for (const condition of conditionsOf(search)) {
    if (condition.column === 'group')
      indexed.push(condition.is === 'none' ? await ofNobodyNow(db) : await byGroup(db, condition.value))
    else if (condition.column === 'username') indexed.push(...(await byUser(db, condition)))
    else indexed.push(condition)
  }
  return indexed
}

async function byGroup(db: Db, group: string): Promise<Condition> {
  const lists = await groupLists(db, group)
  return lists.length === 0 ? { column: 'user_id', value: NOBODY } : { column: 'user_id', is: 'member', value: lists }
}

async function ofNobodyNow(db: Db): Promise<Condition> {
  return { column: 'user_id', is: 'no member', value: await allGroupLists(db) }
}

async function byUser(db: Db, byName: Condition): Promise<Condition[]> {
  const named = await usersNamed(db, String(byName.value))
  if (named === undefined || named.ids.length > 1) return [byName]
  const byId: Condition = { column: 'user_id', value: named.ids[0] ?? NOBODY }
  return named.otherNames ? [byId, byName] : [byId]
}

const NOBODY = -1

/** Whether entries have to be read to filter them. */
export const readsEntries = ({ others, keyword }: SearchPlan) =>
  keyword !== '' || others.some(({ column }) => IN_ENTRIES.has(column))

/** Whether it has an index. That of types excludes consumption, that of outcomes success: nearly everything. */
const canLead = (condition: Condition): condition is Lead => {
  if (condition.is === 'member') return true
  if (condition.is !== undefined) return false
  const { column, value } = condition
  if (column === 'type') return value !== LogType.consume
  if (column === 'outcome') return value !== 'success'
  return column === 'user_id' || column === 'session'
}

/**
 * Reads along the index of the condition with the fewest entries. The database would have to guess which that is; here each is
 * counted, up to `countMax`, which costs a millisecond. A long search only visits hours that can have matches.
 */
export const planSearch = async (db: Db, search: LogSearch, countMax: number): Promise<SearchPlan> => {
  const { filter, keyword = '' } = search
  const range = { from: filter.start_timestamp, until: filter.end_timestamp }
  const conditions = await indexedConditions(db, search)
  const leads = conditions.filter(canLead)
  const candidates = leads.length === 0 ? [undefined] : leads
  let best: { lead: Lead | undefined; counted: number } | undefined
  for (const lead of candidates) {
    const counted = await countUpTo(db, { lead, range }, countMax)
    if (best === undefined || counted < best.counted) best = { lead, counted }
  }
  const { counted } = best ?? { counted: 0 }
  // Entries of many users have to be sorted: with many of them, reading the log by time finds a page sooner.
  const lead = best?.lead?.is === 'member' && counted >= countMax ? undefined : best?.lead
  const others = conditions.filter((condition) => condition !== lead)
  const shortCuts = counted < countMax ? [] : others.filter(isOneValue).filter(hasSpans)
  return { lead, others, keyword, range, shortCuts, counted }
}

/** The search in parts, which together contain every match. */
export async function* partsOf(db: Db, plan: SearchPlan): AsyncGenerator<SearchPlan> {
  const { shortCuts, range } = plan
  if (shortCuts.length === 0) return yield plan
  for await (const part of rangesOf(db, shortCuts, range)) yield { ...plan, range: part }
}

/** Whether every entry along the index is a match. */
export const isUnfiltered = ({ others, keyword }: SearchPlan) => others.length === 0 && keyword === ''

/**
 * The next `size` entries along the index after a position: how many there were, the ids of the matches, and the end
 * position.
 */
export const readSection = async (db: Db, plan: SearchPlan, after: LogPosition | undefined, size: number) => {
  if (isUnfiltered(plan)) {
    const positions = await along(db, plan, after).select(['created_at', 'id']).limit(size).execute()
    const { length } = positions
    return { examined: length, ids: positions.map(({ id }) => id), end: length < size ? undefined : positions.at(-1) }
  }
  const end = await positionAfter(db, plan, after, size)
  const examined = end === undefined ? await countUpTo(db, plan, size, after) : size
  const hits = await matchesAmong(db, plan, after, size)
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { examined, ids: hits.map(({ id }) => id), end }
}

/** The quota of the matches among the next `size` entries after a position, and the end position. */
export const sumSection = async (db: Db, plan: SearchPlan, after: LogPosition | undefined, size: number) => {
  const end = await positionAfter(db, plan, after, size)
  const { quota } = await matchesAmong(db, plan, after, size, ['quota']).select(QUOTA_SUM).executeTakeFirstOrThrow()
  return { quota, end }
}

/** The matches among the next `size` entries. */
function matchesAmong(
  db: Db,
  plan: SearchPlan,
  after: LogPosition | undefined,
  size: number,
  extra: Condition['column'][] = [],
) {
  // The inner query is evaluated before the other conditions, so that no other index is chosen. It selects only columns
  // of the lead's index, so that entries need not be read.
  const some = along(db, plan, after)
    .select(['id', 'created_at', ...new Set([...extra, ...plan.others.flatMap(columnsOf)])])
    .$if(plan.keyword !== '', (query) => query.select(TEXTS))
    .limit(size)
  // It has every column used below, which the compiler cannot follow through a list of conditions.
  const candidates = db.selectFrom(some.as('logs')) as unknown as LogQuery
  return whereAll(candidates, plan.others).$if(plan.keyword !== '', (query) =>
    query.where((column) => column.or(TEXTS.map((text) => contains(column.ref(text), plan.keyword)))),
  )
}

/** Only entries for which all of the conditions hold. */
export const whereAll = (query: LogQuery, conditions: readonly Condition[]) =>
  conditions.reduce(
    (narrowed, { column, is, value }) =>
      is === 'no model'
        ? narrowed.where((row) => row.or([row('model_name', '=', ''), contains(row.ref('detail'), value)]))
        : is === 'a model'
          ? narrowed.where((row) => row.not(contains(row.ref('detail'), value)))
          : is === 'member'
            ? narrowed.where(isMember(value))
            : is === 'no member'
              ? narrowed.where(sql<boolean>`NOT ${isMember(value)}`)
              : narrowed.where(column, is ?? '=', value),
    query,
  )

const isMember = (lists: readonly string[]) => sql<boolean>`user_id IN (${membersOf(lists)})`

/** The quota of an agent's conversation, along its own index: it has no figures. */
export const sumOfSession = async (db: Db, { scope, filter }: LogSearch) => {
  const { session, start_timestamp: from, end_timestamp: until } = filter
  const others = await indexedConditions(db, { scope, filter: { ...filter, session: '' } })
  // The limit keeps the database from evaluating the other conditions first.
  const entries = along(db, { lead: { column: 'session', value: session }, range: { from, until } })
    .select([...new Set(['quota' as const, ...others.flatMap(columnsOf)])])
    .limit(SESSION_MAX)
  // As in `readSection`: it has every column used below.
  const candidates = db.selectFrom(entries.as('logs')) as unknown as LogQuery
  const { quota } = await whereAll(candidates, others).select(QUOTA_SUM).executeTakeFirstOrThrow()
  return quota
}

const SESSION_MAX = 100_000

const QUOTA_SUM = sql<number>`CAST(coalesce(sum(quota), 0) AS bigint)`.as('quota')

/** The position after `count` entries, or undefined when there are fewer. */
export const positionAfter = (
  db: Db,
  plan: SearchPlan,
  after: LogPosition | undefined,
  count: number,
): Promise<LogPosition | undefined> =>
  along(db, plan, after)
    .select(['created_at', 'id'])
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst()

export type LogQuery = SelectQueryBuilder<Schema, 'logs', object>

const TEXTS = ['content', 'content_en'] as const

/** As in the index by type, which is only used when the text matches. */
export const NOT_CONSUMPTION = sql<boolean>`type <> 2`

type PlanRange = Pick<SearchPlan, 'lead' | 'range'>

function along(db: Db, { lead, range: { from, until } }: PlanRange, after?: LogPosition): LogQuery {
  const last = after?.created_at ?? until
  return (
    db
      .selectFrom('logs')
      .$if(lead !== undefined, (query) => (lead === undefined ? query : whereAll(query, [lead])))
      // As in the index, which is only used when the text matches.
      .$if(lead?.column === 'outcome', (query) => query.where(sql<boolean>`outcome <> '' AND outcome <> 'success'`))
      .$if(lead?.column === 'type', (query) => query.where(NOT_CONSUMPTION))
      .$if(from !== 0, (query) => query.where('created_at', '>=', from))
      .$if(last !== 0, (query) => query.where('created_at', '<=', last))
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(created_at < ${after?.created_at} OR id < ${after?.id})`),
      )
      // An expression keeps the database from reading the log by time to find the few entries of a group.
      .orderBy(lead?.is === 'member' ? sql`created_at + 0` : 'created_at', 'desc')
      .orderBy('id', 'desc')
  )
}

async function countUpTo(db: Db, plan: PlanRange, max: number, after?: LogPosition) {
  const entries = along(db, plan, after).select('id').limit(max)
  const { counted } = await db
    // Those of a group need not be sorted to be counted.
    .selectFrom((plan.lead?.is === 'member' ? entries.clearOrderBy() : entries).as('some'))
    .select(sql<number>`count(*)`.as('counted'))
    .executeTakeFirstOrThrow()
  return counted
}
