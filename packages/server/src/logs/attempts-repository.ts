import { LogType, type Outcome } from '@tollgate/contract'
import { sql } from 'kysely'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { Db } from '../database/client.ts'
import { parseDetail } from './call-detail.ts'
import { NOT_CONSUMPTION } from './log-search-repository.ts'

/** One attempt at a channel, as logged. */
export interface LoggedAttempt {
  channel: number
  at: number
  /** Empty when the channel answered. */
  error: string
  requestId: string
}

/** The newest calls since a time, at most this many. */
export interface Span {
  since: number
  callsMax: number
}

const SECTION = 500

/** Enough for the attempts; other candidates come after them and can be many times as long. */
const DETAIL_MAX = 4000

/** Old entries have no outcome. */
const UPSTREAMS_FAULT: ReadonlySet<string> = new Set(['upstream_error', 'timeout', ''] satisfies (Outcome | '')[])

/** The caller's own mistakes say nothing about a channel. */
const CALLERS_FAULT: ReadonlySet<number> = new Set([400, 404, 413, 422])

/**
 * The attempts of the newest calls of a type. They are read along an index by time, in ranges: an embedded database blocks the
 * process while it reads.
 */
export const attemptsRepository = (db: Db) => ({
  async newest(type: typeof LogType.consume | typeof LogType.failed, { since, callsMax }: Span) {
    const tried: LoggedAttempt[] = []
    let calls = 0
    let oldest = since
    let after: { created_at: number; id: number } | undefined
    while (calls < callsMax) {
      const size = Math.min(SECTION, callsMax - calls)
      const rows = await readSection(db, { type, since, after, size })
      for (const row of rows) tried.push(...attemptsOf({ ...row, type }))
      calls += rows.length
      after = rows.at(-1)
      if (rows.length < size || after === undefined) return { tried, since, more: false }
      oldest = after.created_at
      await yieldToEventLoop()
    }
    return { tried, since: oldest, more: true }
  },
})

interface Row {
  id: number
  created_at: number
  channel: number
  content_en: string
  detail: string
  request_id: string
  outcome: string
}

interface Section {
  type: number
  since: number
  after: { created_at: number; id: number } | undefined
  size: number
}

const readSection = (db: Db, { type, since, after, size }: Section): Promise<Row[]> =>
  db
    .selectFrom('logs')
    .select(['id', 'created_at', 'channel', 'content_en', 'request_id', 'outcome'])
    .select(sql<string>`substr(detail, 1, ${DETAIL_MAX})`.as('detail'))
    .where('type', '=', type)
    .$if(type !== LogType.consume, (query) => query.where(NOT_CONSUMPTION))
    // Refused before a channel was chosen.
    .where('channel', '<>', 0)
    .where('created_at', '>=', since)
    .$if(after !== undefined, (query) =>
      query
        .where('created_at', '<=', after?.created_at ?? 0)
        .where(sql<boolean>`(created_at < ${after?.created_at} OR id < ${after?.id})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .execute()

interface DetailExcerpt {
  flag?: string
  reason?: string
  error?: string
  batch?: object
  attempts?: { channel: number; status: number; error?: string; passed?: true }[]
}

/** The attempts of a call by its entry. One without attempts counts as one attempt at its channel. */
export function attemptsOf(entry: Omit<Row, 'id'> & { type: number }): LoggedAttempt[] {
  const { type, channel, created_at: at, content_en, detail, request_id: requestId, outcome } = entry
  const { attempts = [], flag, reason, error, batch } = excerptOf(detail)
  // The outcome of a batch says nothing about the channel's current health.
  if (batch !== undefined) return []
  const isUpstreams = UPSTREAMS_FAULT.has(outcome) && flag !== 'restart'
  const brokeOff = flag === 'partial' ? reason || 'The upstream broke off its answer' : ''
  const failed = error || content_en || 'The call failed'
  const whole = isUpstreams ? (type === LogType.failed ? failed : brokeOff) : ''
  if (attempts.length === 0) return [{ channel, at, error: whole, requestId }]
  return (
    attempts
      // A failed key that was replaced by another key of the channel is no failure of the channel.
      .filter(({ status, passed }) => !CALLERS_FAULT.has(status) && passed === undefined)
      .map((attempt, index, { length }) => {
        const last = index === length - 1
        return { channel: attempt.channel, at, error: attempt.error ?? (last ? whole : ''), requestId }
      })
  )
}

/** The candidates are cut off: truncated JSON could not be parsed, and they are not needed. */
function excerptOf(detail: string): DetailExcerpt {
  const end = detail.indexOf(',"candidates":')
  if (end === -1 && detail.length >= DETAIL_MAX) return {}
  if (detail === '') return {}
  return parseDetail(end === -1 ? detail : `${detail.slice(0, end)}}`)
}
