import { type Log, LogType } from '@tollgate/contract'
import { type Insertable, sql } from 'kysely'
import type { Language } from '../common/errors.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { Db } from '../database/client.ts'
import { pageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'
import type { LogSearch, Scope } from './log-conditions.ts'
import { shownRow, storedRows } from './log-rows-repository.ts'
import {
  indexedConditions,
  isUnfiltered,
  partsOf,
  planSearch,
  positionAfter,
  readSection,
  readsEntries,
  type SearchPlan,
  sumSection,
  whereAll,
} from './log-search-repository.ts'
import { idsOfRequest } from './request-lookup-repository.ts'

/** Totals are exact up to here. Counting further would read the whole log for a number that nobody needs. */
const TOTAL_MAX = 10_000
/** Entries read for a total that has to be counted one by one. */
const EXAMINED_MAX = 20_000
/** Entries per read; in between other work gets its turn. */
const SECTION = 5_000
/** The same when the entries themselves are read, which takes many times as long. */
const READ_SECTION = 1_000
const READ_MAX = 10_000
const SKIP = 50_000
const EXPORT_SECTION = 500
/** Time limit for a page: a text that does not occur would be searched in every entry. */
const SEARCH_MAX_MS = 2000
/** Time limit for a sum: it comes with every list, and the answer says how far it got. */
const SUM_MAX_MS = 500

export const logsRepository = (db: Db, searchMaxMs = SEARCH_MAX_MS, sumMaxMs = SUM_MAX_MS) => ({
  insert: (row: Insertable<Schema['logs']>) => db.insertInto('logs').values(row).execute(),

  insertMany: (rows: Insertable<Schema['logs']>[]) => db.insertInto('logs').values(rows).execute(),

  /** A page and the total: exact, or a minimum with `more` beyond it. */
  async page(
    search: LogSearch,
    { p: page, page_size: size }: Paging,
    language: Language,
  ): Promise<{ rows: Log[]; total: number; more: boolean }> {
    if (search.filter.request_id !== '') {
      const rows = await rowsOf(db, await idsOfRequest(db, search), language, search.scope)
      return { rows: page === undefined || page === 0 ? rows : [], total: rows.length, more: false }
    }
    const plan = await planSearch(db, search, TOTAL_MAX + 1)
    const { ids, found, more } = isUnfiltered(plan)
      ? await unfilteredPage(db, plan, pageWindow(page, size))
      : await filteredPage(db, plan, pageWindow(page, size), searchMaxMs)
    return { rows: await rowsOf(db, ids, language, search.scope), total: Math.min(found, TOTAL_MAX), more }
  },

  /** All matches, newest first, a few entries at a time: nothing is read before it is needed. */
  async *each(search: LogSearch, language: Language): AsyncGenerator<Log[], void, void> {
    if (search.filter.request_id !== '') {
      yield await rowsOf(db, await idsOfRequest(db, search), language, search.scope)
      return
    }
    const plan = await planSearch(db, search, TOTAL_MAX)
    for await (const part of partsOf(db, plan)) {
      let next: Awaited<ReturnType<typeof readSection>> | undefined
      do {
        next = await readSection(db, part, next?.end, EXPORT_SECTION)
        if (next.ids.length > 0) yield await rowsOf(db, next.ids, language, search.scope)
        await yieldToEventLoop()
      } while (next.end !== undefined)
    }
  },

  /** The quota of a filter that only the entries can answer, as far back as time allows; `since` when that was not all. */
  async sumOfEntries(search: LogSearch) {
    const plan = await planSearch(db, search, TOTAL_MAX)
    const startedMs = performance.now()
    let sum = 0
    for await (const part of partsOf(db, plan)) {
      let next: Awaited<ReturnType<typeof sumSection>> | undefined
      do {
        next = await sumSection(db, part, next?.end, READ_SECTION)
        sum += next.quota
        if (next.end !== undefined && performance.now() - startedMs > sumMaxMs)
          return { quota: sum, since: next.end.created_at }
        await yieldToEventLoop()
      } while (next.end !== undefined)
    }
    return { quota: sum }
  },

  /** The quota of one request's entries. */
  async sumOfRequest(search: LogSearch) {
    const rows = await rowsOf(db, await idsOfRequest(db, search), 'en', search.scope)
    return rows.reduce((sum, { quota }) => sum + quota, 0)
  },

  /** The quota of a short range, or of entries other than consumption, few of which have any. */
  async sumQuota({ scope, filter }: LogSearch) {
    const { start_timestamp: from, end_timestamp: until, type } = filter
    const consumed = type === LogType.consume
    const conditions = (await indexedConditions(db, { scope, filter })).filter(
      ({ column }) => consumed || column !== 'type',
    )
    const { quota } = await whereAll(db.selectFrom('logs'), conditions)
      // Written so that only the index of entries with quota matches; the one by type has a hundred times as many.
      .$if(!consumed, (query) => query.where(sql<boolean>`type <> 2 AND quota <> 0 AND type + 0 = ${type}`))
      .$if(from !== 0, (query) => query.where('created_at', '>=', from))
      .$if(until !== 0, (query) => query.where('created_at', '<=', until))
      .select(sql<number>`CAST(coalesce(sum(quota), 0) AS bigint)`.as('quota'))
      .executeTakeFirstOrThrow()
    return quota
  },

  /** Whether the log has this many calls of that time; it is not counted further. */
  async hasCalls({ scope, filter }: LogSearch, count: number) {
    const { start_timestamp: from, end_timestamp: until } = filter
    const some = whereAll(db.selectFrom('logs'), await indexedConditions(db, { scope, filter }))
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

async function unfilteredPage(db: Db, plan: SearchPlan, { offset, limit }: Window): Promise<Found> {
  const { counted } = plan
  let after: Awaited<ReturnType<typeof positionAfter>>
  for (let left = offset; left > 0; left -= SKIP) {
    after = await positionAfter(db, plan, after, Math.min(left, SKIP))
    if (after === undefined) return { ids: [], found: counted, more: counted > TOTAL_MAX }
    await yieldToEventLoop()
  }
  const { ids } = await readSection(db, plan, after, limit)
  return { ids, found: counted, more: counted > TOTAL_MAX }
}

/**
 * Continues until the page is full and it is known whether there is another, then counts as far as that is cheap. When the time
 * is over it returns what it has found, and that there may be more.
 */
async function filteredPage(db: Db, plan: SearchPlan, { offset, limit }: Window, maxMs: number): Promise<Found> {
  const startedMs = performance.now()
  const ids: number[] = []
  let found = 0
  let examined = 0
  const [size, max] = readsEntries(plan) ? [READ_SECTION, READ_MAX] : [SECTION, EXAMINED_MAX]
  const isEnough = () => {
    const full = found > offset + limit
    return (full && (found > TOTAL_MAX || examined >= max)) || performance.now() - startedMs > maxMs
  }
  const parts = partsOf(db, plan)
  for await (const part of parts) {
    let next: Awaited<ReturnType<typeof readSection>> | undefined
    do {
      next = await readSection(db, part, next?.end, size)
      ids.push(...next.ids.slice(Math.max(0, offset - found), Math.max(0, offset + limit - found)))
      found += next.ids.length
      examined += next.examined
      if (isEnough()) {
        const more = found > TOTAL_MAX || next.end !== undefined || (await parts.next()).done !== true
        return { ids, found, more }
      }
      await yieldToEventLoop()
    } while (next.end !== undefined)
  }
  return { ids, found, more: found > TOTAL_MAX }
}

async function rowsOf(db: Db, ids: number[], language: Language, scope: Scope): Promise<Log[]> {
  if (ids.length === 0) return []
  return (await storedRows(db, ids)).map((row) => shownRow(row, language, scope))
}
