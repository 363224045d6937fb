import { type Log, LogType } from '@tollgate/contract'
import { type Insertable, sql } from 'kysely'
import type { Language } from '../common/errors.ts'
import type { Db } from '../database/client.ts'
import { pageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'
import { shownRow, storedRows } from './log-rows-repository.ts'
import {
  indexedConditions,
  isPlain,
  meeting,
  partsOf,
  placeAfter,
  planWalk,
  readsEntries,
  type Scope,
  stretch,
  sumStretch,
  type Walk,
  type Wanted,
} from './log-walk-repository.ts'
import { idsOfRequest } from './request-lookup-repository.ts'

/** Totals are exact up to here. Counting further would read the whole log for a number that nobody needs. */
const TOTAL_MAX = 10_000
/** Entries read for a total that has to be counted one by one. */
const EXAMINED_MAX = 20_000
/** Entries per read; in between other work gets its turn. */
const STRETCH = 5_000
/** The same when the entries themselves are read, which takes many times as long. */
const READ_STRETCH = 1_000
const READ_MAX = 10_000
const SKIP = 50_000
const EXPORT_STRETCH = 500
/** Time limit for a page: a text that does not occur would be searched in every entry. */
const SEARCH_MAX_MS = 2000
/** Time limit for a sum: it comes with every list, and the answer says how far it got. */
const SUM_MAX_MS = 500

export const logsRepository = (db: Db, searchMaxMs = SEARCH_MAX_MS, sumMaxMs = SUM_MAX_MS) => ({
  insert: (row: Insertable<Schema['logs']>) => db.insertInto('logs').values(row).execute(),

  /** A page and the total: exact, or a minimum with `more` beyond it. */
  async page(
    wanted: Wanted,
    { p: page, page_size: size }: Paging,
    language: Language,
  ): Promise<{ rows: Log[]; total: number; more: boolean }> {
    if (wanted.filter.request_id !== '') {
      const rows = await rowsOf(db, await idsOfRequest(db, wanted), language, wanted.scope)
      return { rows: page === undefined || page === 0 ? rows : [], total: rows.length, more: false }
    }
    const walk = await planWalk(db, wanted, TOTAL_MAX + 1)
    const { ids, found, more } = isPlain(walk)
      ? await plainPage(db, walk, pageWindow(page, size))
      : await filteredPage(db, walk, pageWindow(page, size), searchMaxMs)
    return { rows: await rowsOf(db, ids, language, wanted.scope), total: Math.min(found, TOTAL_MAX), more }
  },

  /** All matches, newest first, a few entries at a time: nothing is read before it is needed. */
  async *each(wanted: Wanted, language: Language): AsyncGenerator<Log[], void, void> {
    if (wanted.filter.request_id !== '') {
      yield await rowsOf(db, await idsOfRequest(db, wanted), language, wanted.scope)
      return
    }
    const walk = await planWalk(db, wanted, TOTAL_MAX)
    for await (const part of partsOf(db, walk)) {
      let next: Awaited<ReturnType<typeof stretch>> | undefined
      do {
        next = await stretch(db, part, next?.end, EXPORT_STRETCH)
        if (next.ids.length > 0) yield await rowsOf(db, next.ids, language, wanted.scope)
        await turn()
      } while (next.end !== undefined)
    }
  },

  /** The quota of a filter that only the entries can answer, as far back as time allows; `since` when that was not all. */
  async sumOfEntries(wanted: Wanted) {
    const walk = await planWalk(db, wanted, TOTAL_MAX)
    const startedMs = performance.now()
    let sum = 0
    for await (const part of partsOf(db, walk)) {
      let next: Awaited<ReturnType<typeof sumStretch>> | undefined
      do {
        next = await sumStretch(db, part, next?.end, READ_STRETCH)
        sum += next.quota
        if (next.end !== undefined && performance.now() - startedMs > sumMaxMs)
          return { quota: sum, since: next.end.created_at }
        await turn()
      } while (next.end !== undefined)
    }
    return { quota: sum }
  },

  /** The quota of one request's entries. */
  async sumOfRequest(wanted: Wanted) {
    const rows = await rowsOf(db, await idsOfRequest(db, wanted), 'en', wanted.scope)
    return rows.reduce((sum, { quota }) => sum + quota, 0)
  },

  /** The quota of a short range, or of entries other than consumption, few of which have any. */
  async sumQuota({ scope, filter }: Wanted) {
    const { start_timestamp: from, end_timestamp: until, type } = filter
    const consumed = type === LogType.consume
    const conditions = (await indexedConditions(db, { scope, filter })).filter(
      ({ column }) => consumed || column !== 'type',
    )
    const { quota } = await meeting(db.selectFrom('logs'), conditions)
      // Written so that only the index of entries with quota matches; the one by type has a hundred times as many.
      .$if(!consumed, (query) => query.where(sql<boolean>`type <> 2 AND quota <> 0 AND type + 0 = ${type}`))
      .$if(from !== 0, (query) => query.where('created_at', '>=', from))
      .$if(until !== 0, (query) => query.where('created_at', '<=', until))
      .select(sql<number>`CAST(coalesce(sum(quota), 0) AS bigint)`.as('quota'))
      .executeTakeFirstOrThrow()
    return quota
  },

  /** Whether the log has this many calls of that time; it is not counted further. */
  async hasCalls({ scope, filter }: Wanted, count: number) {
    const { start_timestamp: from, end_timestamp: until } = filter
    const some = meeting(db.selectFrom('logs'), await indexedConditions(db, { scope, filter }))
      .where('created_at', '>=', from)
      .where('created_at', '<=', until)
      .select('id')
      .limit(count)
    const { calls } = await db
      .selectFrom(some.as('some'))
      .select(sql<number>`count(*)`.as('calls'))
      .executeTakeFirstOrThrow()
    return calls >= count
  },

  /** Removes older entries, at most `max`; returns how many. */
  async removeSomeBefore(timestamp: number, max: number) {
    const old = db.selectFrom('logs').select('id').where('created_at', '<', timestamp).orderBy('created_at').limit(max)
    const { numDeletedRows } = await db.deleteFrom('logs').where('id', 'in', old).executeTakeFirst()
    return Number(numDeletedRows)
  },
})

/** Page and size; a search may have none. */
export interface Paging {
  p?: number | undefined
  page_size?: number
}

type Window = ReturnType<typeof pageWindow>

interface Found {
  ids: number[]
  found: number
  more: boolean
}

async function plainPage(db: Db, walk: Walk, { offset, limit }: Window): Promise<Found> {
  const { counted } = walk
  let after: Awaited<ReturnType<typeof placeAfter>>
  for (let left = offset; left > 0; left -= SKIP) {
    after = await placeAfter(db, walk, after, Math.min(left, SKIP))
    if (after === undefined) return { ids: [], found: counted, more: counted > TOTAL_MAX }
    await turn()
  }
  const { ids } = await stretch(db, walk, after, limit)
  return { ids, found: counted, more: counted > TOTAL_MAX }
}

/**
 * Continues until the page is full and it is known whether there is another, then counts as far as that is cheap. When the time
 * is over it returns what it has found, and that there may be more.
 */
async function filteredPage(db: Db, walk: Walk, { offset, limit }: Window, maxMs: number): Promise<Found> {
  const startedMs = performance.now()
  const ids: number[] = []
  let found = 0
  let examined = 0
  const [size, max] = readsEntries(walk) ? [READ_STRETCH, READ_MAX] : [STRETCH, EXAMINED_MAX]
  const isEnough = () => {
    const full = found > offset + limit
    return (full && (found > TOTAL_MAX || examined >= max)) || performance.now() - startedMs > maxMs
  }
  const parts = partsOf(db, walk)
  for await (const part of parts) {
    let next: Awaited<ReturnType<typeof stretch>> | undefined
    do {
      next = await stretch(db, part, next?.end, size)
      ids.push(...next.ids.slice(Math.max(0, offset - found), Math.max(0, offset + limit - found)))
      found += next.ids.length
      examined += next.examined
      if (isEnough()) {
        const more = found > TOTAL_MAX || next.end !== undefined || (await parts.next()).done !== true
        return { ids, found, more }
      }
      await turn()
    } while (next.end !== undefined)
  }
  return { ids, found, more: found > TOTAL_MAX }
}

/** An embedded database blocks the process while it reads. */
function turn() {
  return new Promise((resolve) => setImmediate(resolve))
}

async function rowsOf(db: Db, ids: number[], language: Language, scope: Scope): Promise<Log[]> {
  if (ids.length === 0) return []
  return (await storedRows(db, ids)).map((row) => shownRow(row, language, scope))
}
