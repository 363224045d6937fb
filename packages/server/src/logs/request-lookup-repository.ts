import { LogType } from '@tollgate/contract'
import { timeOfRequestId } from '../common/request-id.ts'
import { idsBetween, timeOfId } from '../common/work-ids.ts'
import type { Db } from '../database/client.ts'
import { contains } from '../database/like.ts'
import type { LogSearch } from './log-conditions.ts'
import { indexedConditions, type LogPosition, NOT_CONSUMPTION, whereAll } from './log-search-repository.ts'

/** How many entries are read, step by step: a call's entry is written soon after the call started. */
const STEPS = [500, 5000, 50_000]
/** The clocks of two nodes may differ a little. */
const SLACK_SEC = 60

/**
 * The entries of one request, found without an index of their own, which would cost every call more than these rare look-ups: a
 * request id starts with its time, and the log is ordered by time. Work at a vendor has an entry under its own id when it has ended.
 */
export async function idsOfRequest(db: Db, search: LogSearch): Promise<number[]> {
  const { request_id: requestId } = search.filter
  const began = timeOfRequestId(requestId)
  if (began === undefined) return matching(db, search, await idsOfWork(db, search, requestId))
  const own = await idsSince(db, search, { requestId, began })
  if (own.length > 0) return matching(db, search, own)
  const shared = await idsSharedBy(db, search, began)
  if (shared.length > 0) return matching(db, search, shared)
  const started = await workStartedBy(db, search, began)
  return matching(db, search, (await Promise.all(started.map((id) => idsOfWork(db, search, id)))).flat())
}

/** Step by step: an entry is written soon after this time. */
async function idsSince(db: Db, search: LogSearch, { requestId, began }: { requestId: string; began: number }) {
  let after: LogPosition | undefined = { created_at: began - SLACK_SEC, id: 0 }
  for (const size of STEPS) {
    const ids = await idsAmong(db, search, { requestId, after, size })
    if (ids.length > 0) return ids
    after = await since(db, search, after)
      .select(['created_at', 'id'])
      .limit(1)
      .offset(size - 1)
      .executeTakeFirst()
    if (after === undefined) break
  }
  return []
}

/** By our id, or that of the vendor, by which callers know background responses. What was removed is looked for from its start on. */
async function idsOfWork(db: Db, search: LogSearch, id: string) {
  const found = await workOf(db, search)
    .where(({ eb, or }) => or([eb('id', '=', id), eb('upstream_id', '=', id)]))
    .select(['id', 'settled_at'])
    .limit(SAME_NAME_MAX)
    .execute()
  const times = found.length > 0 ? found : [{ id, settled_at: timeOfId(id) ?? null }]
  const ids: number[] = []
  for (const { id: requestId, settled_at: began } of times)
    if (began !== null) ids.push(...(await idsSince(db, search, { requestId, began })))
  return ids
}

const workOf = (db: Db, { scope }: LogSearch) =>
  db
    .selectFrom('batches')
    .$if(scope !== 'everyone', (query) => (scope === 'everyone' ? query : query.where('user_id', '=', scope.userId)))

async function workStartedBy(db: Db, search: LogSearch, began: number) {
  const ranges = idsBetween(began - SLACK_SEC, began + STARTED_SEC)
  const found = await workOf(db, search)
    .where(({ eb, or }) => or(ranges.map(([first, last]) => eb('id', '>=', first).and('id', '<', last))))
    .where(({ ref }) => contains(ref('plan'), `"requestId":"${search.filter.request_id}"`))
    .select('id')
    .execute()
  return found.map(({ id }) => id)
}

/** A request is read before its work begins. */
const STARTED_SEC = 600
/** Two vendors may give the same id. */
const SAME_NAME_MAX = 10

/** Equal refusals share the entry of the first, which lists some of the others. */
async function idsSharedBy(db: Db, { scope, filter }: LogSearch, began: number) {
  const failed = db
    .selectFrom('logs')
    .select(['id', 'user_id', 'detail'])
    .where('type', '=', LogType.failed)
    .where(NOT_CONSUMPTION)
    .where('channel', '=', 0)
    .where('created_at', '>=', began - SHARED_SEC - SLACK_SEC)
    .where('created_at', '<=', began + SLACK_SEC)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SHARED_MAX)
  const found = await db
    .selectFrom(failed.as('failed'))
    .$if(scope !== 'everyone', (query) => (scope === 'everyone' ? query : query.where('user_id', '=', scope.userId)))
    .where((column) => contains(column.ref('detail'), `"${filter.request_id}"`))
    .select('id')
    .execute()
  return found.map(({ id }) => id)
}

const SHARED_SEC = 60
const SHARED_MAX = 1000

async function idsAmong(
  db: Db,
  search: LogSearch,
  { requestId, after, size }: { requestId: string; after: LogPosition; size: number },
) {
  const passed = since(db, search, after).select(['id', 'request_id']).limit(size)
  const found = await db.selectFrom(passed.as('logs')).where('request_id', '=', requestId).select('id').execute()
  return found.map(({ id }) => id)
}

const since = (db: Db, { scope }: LogSearch, { created_at, id }: LogPosition) =>
  db
    .selectFrom('logs')
    .$if(scope !== 'everyone', (query) => (scope === 'everyone' ? query : query.where('user_id', '=', scope.userId)))
    .where('created_at', '>=', created_at)
    .where(({ eb, or }) => or([eb('created_at', '>', created_at), eb('id', '>', id)]))
    .orderBy('created_at')
    .orderBy('id')

/** Those of the entries that match the rest of the filter. */
async function matching(db: Db, search: LogSearch, ids: number[]) {
  if (ids.length === 0) return []
  const { start_timestamp: from, end_timestamp: until } = search.filter
  const rows = await whereAll(db.selectFrom('logs'), await indexedConditions(db, search))
    .where('id', 'in', ids)
    .$if(from !== 0, (query) => query.where('created_at', '>=', from))
    .$if(until !== 0, (query) => query.where('created_at', '<=', until))
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}
