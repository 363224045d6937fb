import { LogType, type Text } from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import type { Language } from '../common/errors.ts'
import type { Log as ServerLog } from '../common/log.ts'
import { DAY } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import type { RecordingsService } from '../recordings/recordings-service.ts'
import { attemptsRepository, type Span } from './attempts-repository.ts'
import { EXPORT_FORMATS, type ExportFormat } from './export-format.ts'
import { exportLogs } from './export-logs.ts'
import type { LogSearch } from './log-conditions.ts'
import { lookForSpans, noteSomeSpans, removeOldSpans } from './log-spans-repository.ts'
import { logsRepository, type Paging } from './logs-repository.ts'
import { sumOf } from './statistic.ts'
import { usageRepository } from './usage-repository.ts'

export type LogsService = ReturnType<typeof createLogsService>

/** An entry for people. It never names the acting administrator. */
export interface Note {
  user: { id: number; username: string }
  type: (typeof LogType)['topUp' | 'manage' | 'system']
  quota?: number
  content: Text
  /** The request that caused it, if any. */
  requestId?: string | undefined
}

export interface TestNote {
  user: { id: number; username: string }
  channel: number
  model: string
  ms: number
  requestId: string
  content: Text
}

const DASHBOARD_DAYS = 7
const REMOVED_AT_ONCE = 500

interface Needs {
  db: Db
  clock: Clock
  audit: AuditService
  log: ServerLog
  recordings: Pick<RecordingsService, 'removeBefore'>
}

export const createLogsService = ({ db, clock, audit, log, recordings }: Needs) => ({
  note: (tx: Tx, { user, type, quota = 0, content, requestId = '' }: Note) =>
    logsRepository(tx).insert({
      user_id: user.id,
      created_at: seconds(clock),
      type,
      channel: 0,
      username: user.username,
      token_name: '',
      model_name: '',
      prompt_tokens: 0,
      completion_tokens: 0,
      quota,
      content: content.zh,
      content_en: content.en,
      request_id: requestId,
    }),

  /** A channel test: it costs nothing and belongs to the administrator who ran it. */
  noteTest: ({ user, channel, model, ms, requestId, content }: TestNote) =>
    logsRepository(db).insert({
      user_id: user.id,
      created_at: seconds(clock),
      type: LogType.test,
      channel,
      username: user.username,
      token_name: '',
      model_name: model,
      prompt_tokens: 0,
      completion_tokens: 0,
      quota: 0,
      content: content.zh,
      content_en: content.en,
      elapsed_time: ms,
      request_id: requestId,
    }),

  page: (search: LogSearch, paging: Paging, language: Language) => logsRepository(db).page(search, paging, language),

  statistic: (search: LogSearch) => sumOf(db, search, seconds(clock)),

  /** A file of all matches, produced while it is read. */
  export(search: LogSearch, format: ExportFormat, language: Language) {
    const date = new Date(clock.now()).toISOString().slice(0, 10)
    const entries = logsRepository(db).each(search, language)
    return {
      name: `tollgate-logs-${date}.${format}`,
      type: EXPORT_FORMATS[format].type,
      pieces: exportLogs(entries, format, (end) => log.info('An export of the log ended', { format, ...end })),
    }
  },

  /**
   * Recorded in the audit log when it is done, whether or not the caller still waits. A process that ends in between has removed a
   * part, and the rest can be removed again.
   */
  async clear(by: By, before: number) {
    await recordings.removeBefore(before)
    const removed = await removeBefore(db, before)
    await transact(db, (tx) => audit.record(tx, by, { action: 'log.clear', target: 'log', after: { before, removed } }))
    log.info('The log was cleared', { before, removed, by: by.actor.username })
    return removed
  },

  /** Removes entries beyond the retention time. Ledger and figures stay. */
  async removeOld(days: number) {
    if (days === 0) return
    const before = seconds(clock) - days * DAY
    await recordings.removeBefore(before)
    await removeBefore(db, before)
  },

  /** Records which hours have which values, slightly behind the end of the log. */
  async noteSpans() {
    while (await noteSomeSpans(db)) await yieldToEventLoop()
    await lookForSpans(db)
  },

  /**
   * The last seven days including today, at the given UTC offset. Usage is recorded by the hour: with a fractional offset, the hour
   * in which a day ends belongs to that day.
   */
  async dashboard(userId: number, utcOffsetMinutes: number) {
    const figures = usageRepository(await upToDateFigures(db))
    return figures.byDayAndModel({ userId }, lastDays(seconds(clock), utcOffsetMinutes))
  },

  /** The same for all users together. */
  async siteDashboard(utcOffsetMinutes: number) {
    const figures = usageRepository(await upToDateFigures(db))
    return figures.byDayAndModel('everyone', lastDays(seconds(clock), utcOffsetMinutes))
  },

  /** The attempts of the newest calls, and since when; `more` when there were more calls than requested. */
  attempts: (type: typeof LogType.consume | typeof LogType.failed, span: Span) =>
    attemptsRepository(db).newest(type, span),

  /** Answered calls per channel since the given hour. */
  answeredByChannel: async (since: number) => usageRepository(await upToDateFigures(db)).callsByChannel(since),
})

function lastDays(now: number, utcOffsetMinutes: number) {
  const ahead = utcOffsetMinutes * 60
  const today = Math.floor((now + ahead) / DAY)
  return { firstDay: today - DASHBOARD_DAYS + 1, ahead }
}

/** In small steps, each a transaction of its own: calls wait for one step, not for all. */
async function removeBefore(db: Db, timestamp: number) {
  let removed = 0
  for (;;) {
    const step = await logsRepository(db).removeSomeBefore(timestamp, REMOVED_AT_ONCE)
    removed += step
    if (step < REMOVED_AT_ONCE) break
    await yieldToEventLoop()
  }
  if (removed > 0) await removeOldSpans(db)
  return removed
}
