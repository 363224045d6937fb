import type { LogTailEvent } from '@tollgate/contract'
import { GatewayError, type Language } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import type { Db } from '../database/client.ts'
import { type StoredLog, shownRow, storedRows } from './log-rows-repository.ts'
import { logTailRepository } from './log-tail-repository.ts'
import { conditionsOf, type Wanted } from './log-walk-repository.ts'

export type LogTail = ReturnType<typeof createLogTail>

const TIMES = {
  /** How often the log is looked at, for all who watch together. */
  lookMs: 1000,
  /** How long it is quiet before a sign of life goes out. */
  quietMs: 15_000,
  /** So old may be what is known of the watcher's session. */
  checkMs: 5000,
}

/** Of one look. Whoever watches more than that reads nothing any more. */
const ROWS_MAX = 200
/** On PostgreSQL a smaller id may be committed after a larger one. */
const OVERLAP = 500
const WATCHERS_MAX = 200
const WATCHERS_OF_USER_MAX = 10

interface Watch {
  wanted: Wanted
  userId: number
  language: Language
}

interface Watcher extends Watch {
  waiting: LogTailEvent[]
  wake: () => void
}

/**
 * New entries of the log, for those who watch it. All of a node share one look at the database, which also finds what
 * other nodes wrote, and there is none while nobody watches.
 */
export const createLogTail = ({ db, log }: { db: Db; log: Log }, times: Partial<typeof TIMES> = {}) => {
  const { lookMs, quietMs, checkMs } = { ...TIMES, ...times }
  const repository = logTailRepository(db)
  const watchers = new Set<Watcher>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let newest = 0
  let seen = new Set<number>()
  let closed = false

  const look = async () => {
    const ids = await repository.idsAfter(newest - OVERLAP, OVERLAP * 2)
    const fresh = ids.filter((id) => !seen.has(id))
    if (fresh.length === 0) return
    newest = ids[0] ?? newest
    seen = new Set(ids)
    const rows = await storedRows(db, fresh.slice(0, ROWS_MAX))
    for (const watcher of watchers) tell(watcher, rows, fresh.length - rows.length)
  }

  const lookAgain = () => {
    timer = setTimeout(async () => {
      await look().catch((error) => log.warn('New entries of the log could not be read', { error }))
      if (watchers.size > 0) lookAgain()
      else timer = undefined
    }, lookMs)
    timer.unref()
  }

  const begin = async () => {
    newest = await repository.newestId()
    seen = new Set(await repository.idsAfter(newest - OVERLAP, OVERLAP * 2))
    if (timer === undefined) lookAgain()
  }

  return {
    /** What is written from now on and fits, as long as the watcher is allowed to see it; undefined is a sign of life. */
    async *watch(watch: Watch, isAllowed: () => Promise<boolean>): AsyncGenerator<LogTailEvent | undefined> {
      const watcher: Watcher = { ...watch, waiting: [], wake: () => {} }
      const first = watchers.size === 0
      watchers.add(watcher)
      let checkedMs = performance.now()
      try {
        if (first) await begin()
        yield undefined
        while (!closed) {
          if (watcher.waiting.length === 0) await quiet(watcher, quietMs)
          if (closed) return
          const isOld = performance.now() - checkedMs >= checkMs
          if (isOld && !(await isAllowed())) return
          if (isOld) checkedMs = performance.now()
          yield watcher.waiting.shift()
        }
      } finally {
        watchers.delete(watcher)
      }
    },

    /** Refuses one who watches too much already. */
    admit(userId: number) {
      const own = [...watchers].filter((watcher) => watcher.userId === userId)
      if (closed || watchers.size >= WATCHERS_MAX || own.length >= WATCHERS_OF_USER_MAX) {
        throw new GatewayError('http.too_many')
      }
    },

    watching: () => watchers.size,

    /** Ends every watch: whoever goes on watching asks another node. */
    close() {
      closed = true
      clearTimeout(timer)
      for (const { wake } of watchers) wake()
    },
  }
}

/** Until there is something, or it has been quiet for long enough. */
function quiet(watcher: Watcher, ms: number) {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    watcher.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

const WAITING_MAX = 20

/** A watcher that reads slowly misses some, and is told how many at most. */
function tell(watcher: Watcher, rows: readonly StoredLog[], skipped: number) {
  const { wanted, language, waiting } = watcher
  const fitting = rows.filter((row) => fits(row, wanted))
  if (fitting.length === 0) return
  waiting.push({ rows: fitting.map((row) => shownRow(row, language, wanted.scope)), skipped })
  if (waiting.length > WAITING_MAX) {
    const [lost, next] = waiting.splice(0, 2)
    if (lost !== undefined && next !== undefined)
      waiting.unshift({ rows: next.rows, skipped: next.skipped + lost.skipped + lost.rows.length })
  }
  watcher.wake()
}

function fits(row: StoredLog, wanted: Wanted) {
  const { start_timestamp: from, end_timestamp: until, request_id } = wanted.filter
  if (row.created_at < from || (until !== 0 && row.created_at > until)) return false
  if (request_id !== '' && row.request_id !== request_id) return false
  return conditionsOf(wanted).every(({ column, is, value }) =>
    is === '>=' ? Number(row[column]) >= Number(value) : row[column] === value,
  )
}
