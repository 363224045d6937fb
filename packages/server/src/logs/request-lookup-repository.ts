import { LogType } from '@tollgate/contract'
import { timeOfRequestId } from '../common/request-id.ts'
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
 * request id starts with its time, and the log is ordered by time.
 */
export async function idsOfRequest(db: Db, search: LogSearch): Promise<number[]> {
  const began = timeOfRequestId(search.filter.request_id)
  let after: LogPosition | undefined = began === undefined ? undefined : { created_at: began - SLACK_SEC, id: 0 }
  for (const size of STEPS) {
    if (after === undefined) break
    const ids = await idsAmong(db, search, after, size)
    if (ids.length > 0) return matching(db, search, ids)
    after = await since(db, search, after)
      .select(['created_at', 'id'])
      .limit(1)
      .offset(size - 1)
      .executeTakeFirst()
  }
  return began === undefined ? [] : matching(db, search, await idsSharedBy(db, search, began))
}

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

async function idsAmong(db: Db, search: LogSearch, after: LogPosition, size: number) {
  const passed = since(db, search, after).select(['id', 'request_id']).limit(size)
  const found = await db
    .selectFrom(passed.as('logs'))
    .where('request_id', '=', search.filter.request_id)
    .select('id')
    .execute()
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
