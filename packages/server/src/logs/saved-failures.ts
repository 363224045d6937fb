import { LogType } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { HOUR } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import type { SavedFailureRow } from '../database/tables/usage.ts'
import type { CallLog } from '../ledger/books.ts'
import { attemptsOf } from './attempts-repository.ts'
import { savedFailuresRepository } from './saved-failures-repository.ts'

export type SavedFailures = ReturnType<typeof createSavedFailures>

/** A channel's failures in calls that were answered all the same. */
export interface SavedFailure {
  /** Attempts after which another one answered. */
  retried: number
  /** Answers that the vendor broke off: these calls are counted as answered. */
  broken: number
  last: { at: number; error: string; requestId: string }
}

const WRITE_DELAY_MS = 10_000
/** Only the last day is shown. */
const KEPT_SEC = 48 * HOUR
/** By hour and channel, so that a long outage of the database does not fill the memory. */
const WAITING_MAX = 10_000

/**
 * Counts the failures of channels in calls that were answered all the same: the log has them in the detail of entries under another
 * channel's name. A call without failures costs a search in its detail; the others are written some seconds later, together. A process that
 * dies loses its last seconds.
 */
export const createSavedFailures = ({ db, clock, log }: { db: Db; clock: Clock; log: Log }) => {
  const repository = savedFailuresRepository(db)
  let waiting = new Map<string, SavedFailureRow>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const add = (row: SavedFailureRow) => {
    const key = `${row.hour} ${row.channel}`
    const known = waiting.get(key)
    if (known === undefined && waiting.size >= WAITING_MAX) return
    waiting.set(key, known === undefined ? row : together(known, row))
  }

  const write = async () => {
    const rows = [...waiting.values()]
    waiting = new Map()
    if (rows.length === 0) return
    try {
      await repository.add(rows.toSorted((a, b) => a.hour - b.hour || a.channel - b.channel))
      await repository.removeBefore(seconds(clock) - KEPT_SEC)
    } catch (error) {
      log.warn('Failures that a retry saved could not be written yet', { error, rows: rows.length })
      for (const row of rows) add(row)
    }
  }

  /** Resolves when everything is written. */
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size > 0) writing = writing.then(write)
    return writing
  }

  return {
    note(call: Pick<CallLog, 'type' | 'channel' | 'created_at' | 'content_en' | 'detail' | 'request_id' | 'outcome'>) {
      if (call.type !== LogType.consume || !mayHaveFailures(call.detail)) return
      const attempts = attemptsOf(call)
      for (const [index, { channel, at, error }] of attempts.entries()) {
        if (error === '') continue
        const broken = index === attempts.length - 1 ? 1 : 0
        add({
          ...{ hour: at - (at % HOUR), channel, retried: 1 - broken, broken },
          ...{ last_at: at, last_error: error, last_request_id: call.request_id },
        })
      }
      if (timer !== undefined || waiting.size === 0) return
      timer = setTimeout(flush, WRITE_DELAY_MS)
      timer.unref()
    },
    flush,
    /** By channel, since the given hour. */
    async since(hour: number) {
      await flush()
      const failures = new Map<number, SavedFailure>()
      for (const { channel, retried, broken, last_at, last_error, last_request_id } of await repository.since(hour)) {
        const known = failures.get(channel)
        failures.set(channel, {
          retried: retried + (known?.retried ?? 0),
          broken: broken + (known?.broken ?? 0),
          // Later hours come later.
          last: { at: last_at, error: last_error, requestId: last_request_id },
        })
      }
      return failures
    },
  }
}

/** Nearly all calls have neither, and their detail need not be parsed. */
const mayHaveFailures = (detail: string) => detail.includes('"error":') || detail.includes('"flag":"partial"')

function together(one: SavedFailureRow, other: SavedFailureRow): SavedFailureRow {
  const { last_at, last_error, last_request_id } = other.last_at >= one.last_at ? other : one
  const counts = { retried: one.retried + other.retried, broken: one.broken + other.broken }
  return { hour: one.hour, channel: one.channel, ...counts, last_at, last_error, last_request_id }
}
