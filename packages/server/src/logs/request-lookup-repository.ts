import { LogType } from '@tollgate/contract'
import { timeOfRequestId } from '../common/request-id.ts'
import type { Db } from '../database/client.ts'
import { contains } from '../database/like.ts'
import { BESIDE_CONSUMPTION, indexedConditions, meeting, type Wanted } from './log-walk-repository.ts'

/** How many entries are read, step by step: a call's entry is written soon after the call started. */
const STEPS = [500, 5000, 50_000]
/** The clocks of two nodes may differ a little. */
const SLACK_SEC = 60

interface Place {
  created_at: number
  id: number
}

/**
 * The entries of one request, found without an index of their own, which would cost every call more than these rare look-ups: a
 * request id starts with its time, and the log is ordered by time.
 */
export async function idsOfRequest(db: Db, wanted: Wanted): Promise<number[]> {
  const began = timeOfRequestId(wanted.filter.request_id)
  let after: Place | undefined = began === undefined ? undefined : { created_at: began - SLACK_SEC, id: 0 }
  for (const size of STEPS) {
    if (after === undefined) break
    const ids = await idsAmong(db, wanted, after, size)
    if (ids.length > 0) return matching(db, wanted, ids)
    after = await since(db, wanted, after)
      .select(['created_at', 'id'])
      .limit(1)
      .offset(size - 1)
      .executeTakeFirst()
  }
  return began === undefined ? [] : matching(db, wanted, await idsSharedBy(db, wanted, began))
}

/** Equal refusals share the entry of the first, which lists some of the others. */
async function idsSharedBy(db: Db, { scope, filter }: Wanted, began: number) {
  const failed = db
    .selectFrom('logs')
    .select(['id', 'user_id', 'detail'])
    .where('type', '=', LogType.failed)
    .where(BESIDE_CONSUMPTION)
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

async function idsAmong(db: Db, wanted: Wanted, after: Place, size: number) {
  const passed = since(db, wanted, after).select(['id', 'request_id']).limit(size)
  const found = await db
    .selectFrom(passed.as('logs'))
    .where('request_id', '=', wanted.filter.request_id)
    .select('id')
    .execute()
  return found.map(({ id }) => id)
}

const since = (db: Db, { scope }: Wanted, { created_at, id }: Place) =>
  db
    .selectFrom('logs')
    .$if(scope !== 'everyone', (query) => (scope === 'everyone' ? query : query.where('user_id', '=', scope.userId)))
    .where('created_at', '>=', created_at)
    .where(({ eb, or }) => or([eb('created_at', '>', created_at), eb('id', '>', id)]))
    .orderBy('created_at')
    .orderBy('id')

/** Those of the entries that match the rest of the filter. */
async function matching(db: Db, wanted: Wanted, ids: number[]) {
  if (ids.length === 0) return []
  const { start_timestamp: from, end_timestamp: until } = wanted.filter
  const rows = await meeting(db.selectFrom('logs'), await indexedConditions(db, wanted))
    .where('id', 'in', ids)
    .$if(from !== 0, (query) => query.where('created_at', '>=', from))
    .$if(until !== 0, (query) => query.where('created_at', '<=', until))
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}
