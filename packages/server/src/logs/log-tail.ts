import type { LogTailEvent } from '@tollgate/contract'
import { GatewayError, type Language } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import type { Db } from '../database/client.ts'
import { groupsOfUsers } from '../database/group-members.ts'
import { conditionsOf, type LogSearch } from './log-conditions.ts'
import { type StoredLog, shownRow, storedRows } from './log-rows-repository.ts'
import { logTailRepository } from './log-tail-repository.ts'
import { missingIn, positionText, readPosition, type TailPosition } from './tail-position.ts'

export type LogTail = ReturnType<typeof createLogTail>

const TIMES = {
  /** The polling interval of the log, shared by all watchers. */
  pollMs: 1000,
  /** The heartbeat interval of an idle stream. */
  quietMs: 15_000,
  /** How often a watcher's session is checked again. */
  checkMs: 1000,
}

/** Rows per poll. Nobody can read more than that. */
const ROWS_MAX = 200
/** On PostgreSQL a smaller id may be committed after a larger one. */
const OVERLAP = 500
/** Entries resent to a reconnecting watcher; with more the watcher reloads the list. */
const MISSED_MAX = 400
const WATCHERS_MAX = 200
const WATCHERS_OF_USER_MAX = 10

interface Watch {
  search: LogSearch
  userId: number
  language: Language
  /** The position before the connection was lost. */
  after?: string | undefined
}

interface Watcher extends Omit<Watch, 'after'> {
  /** What it received before reconnecting, as long as a poll may still find some of it. */
  known: TailPosition | undefined
  /** Equal for all watchers that see the same rows. */
  view: string
  waiting: LogTailEvent[]
  wake: () => void
}

/** The group under which each of the entries' users counts; not read while nobody watches a group. */
type Groups = ReadonlyMap<number, string>
const NO_GROUPS: Groups = new Map()

interface Fresh {
  rows: readonly StoredLog[]
  groups: Groups
  /** How many more there were. */
  skipped: number
}

/**
 * New log entries for watchers. All watchers of a node share one poll of the database, which also finds other nodes' entries, and
 * there is none while nobody watches.
 */
export const createLogTail = ({ db, log }: { db: Db; log: Log }, times: Partial<typeof TIMES> = {}) => {
  const { pollMs, quietMs, checkMs } = { ...TIMES, ...times }
  const repository = logTailRepository(db)
  const watchers = new Set<Watcher>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let newest = 0
  let seen = new Set<number>()
  /** The position that every watcher has reached. */
  let position = ''
  let beginning: Promise<void> | undefined
  let looking: Promise<void> | undefined
  let closed = false

  const come = (ids: readonly number[]) => {
    newest = ids[0] ?? newest
    seen = new Set(ids)
    position = positionText(newest, missingIn(seen, newest, OVERLAP))
  }

  const look = async () => {
    const ids = await repository.idsAfter(newest - OVERLAP, OVERLAP * 2)
    const fresh = ids.filter((id) => !seen.has(id))
    if (fresh.length === 0) return
    const rows = await storedRows(db, fresh.slice(0, ROWS_MAX))
    const isByGroup = [...watchers].some(({ search }) => needsGroups(search))
    const groups = isByGroup ? await groupsOf(rows) : NO_GROUPS
    // At once: a new watcher has either received these or finds them in the database.
    come(ids)
    const messages = new Map<string, LogTailEvent>()
    for (const watcher of watchers) {
      const { known, view } = watcher
      if (known !== undefined && known.newest < newest - OVERLAP) watcher.known = undefined
      const shared = known === undefined ? messages.get(view) : undefined
      const message = shared ?? messageFor(watcher, { rows, groups, skipped: fresh.length - rows.length })
      if (known === undefined) messages.set(view, message)
      deliver(watcher, message)
    }
  }

  const groupsOf = (rows: readonly StoredLog[]) => groupsOfUsers(db, [...new Set(rows.map(({ user_id }) => user_id))])

  const messageFor = ({ search, language, known }: Watcher, { rows, groups, skipped }: Fresh) => {
    const isKnown = ({ id }: StoredLog) => known !== undefined && id <= known.newest && !known.missing.has(id)
    const fitting = rows.filter((row) => fits(row, search, groups) && !isKnown(row))
    return {
      ...{ skipped, at: position, reload: false },
      rows: fitting.map((row) => shownRow(row, language, search.scope)),
    }
  }

  /** What a watcher has missed while others received it; the next polls find the rest for all of them. */
  const missedBy = async (watcher: Watcher, after: string | undefined): Promise<LogTailEvent> => {
    const { search, language, known } = watcher
    const message = { rows: [], skipped: 0, at: position, reload: false }
    if (known === undefined) return message
    // Another node may have been ahead of this one.
    if (known.newest > newest) message.at = after ?? position
    // Entries since its arrival are among those read now.
    watcher.waiting = []
    const sent = { newest, seen, oldest: Math.min(...seen) }
    const wasSent = (id: number) => id <= sent.newest && (sent.seen.has(id) || id < sent.oldest)
    const later = await repository.idsAfter(known.newest, MISSED_MAX + 1)
    if (later.length > MISSED_MAX) return { ...message, reload: true }
    const ids = [...later, ...known.missing].filter(wasSent)
    const rows = ids.length === 0 ? [] : await storedRows(db, ids)
    const groups = needsGroups(search) ? await groupsOf(rows) : NO_GROUPS
    const fitting = rows.filter((row) => fits(row, search, groups))
    return { ...message, rows: fitting.map((row) => shownRow(row, language, search.scope)) }
  }

  const lookAgain = () => {
    timer = setTimeout(async () => {
      // Beside the start for a new watcher it would take what that one is about to be sent for new.
      await beginning?.catch(() => {})
      looking = look().catch((error) => log.warn('New entries of the log could not be read', { error }))
      await looking
      if (watchers.size > 0) lookAgain()
      else timer = undefined
    }, pollMs)
    timer.unref()
  }

  const begin = async () => {
    // A poll that started before the first watcher came must not send old entries.
    await looking
    newest = await repository.newestId()
    come(await repository.idsAfter(newest - OVERLAP, OVERLAP * 2))
    if (timer === undefined) lookAgain()
  }

  return {
    /**
     * First what was missed, possibly nothing, then new matching entries, as long as the watcher is allowed to see them; undefined
     * is a heartbeat.
     */
    async *watch(
      { after, ...watch }: Watch,
      isAllowed: () => Promise<boolean>,
    ): AsyncGenerator<LogTailEvent | undefined> {
      const view = JSON.stringify([watch.search, watch.language])
      const watcher: Watcher = { ...watch, view, known: readPosition(after), waiting: [], wake: () => {} }
      const first = watchers.size === 0
      watchers.add(watcher)
      let checkedMs = performance.now()
      try {
        if (first) beginning = begin()
        await beginning
        const missed = await missedBy(watcher, after)
        yield missed
        let at = missed.at
        while (!closed) {
          if (watcher.waiting.length === 0) await quiet(watcher, quietMs)
          if (closed) return
          const isOld = performance.now() - checkedMs >= checkMs
          if (isOld && !(await isAllowed())) return
          if (isOld) checkedMs = performance.now()
          // The position advances even without matching rows, so that there is less to make up for later.
          const quietly = position === at ? undefined : { rows: [], skipped: 0, at: position, reload: false }
          const next = watcher.waiting.shift() ?? quietly
          at = next?.at ?? at
          yield next
        }
      } finally {
        watchers.delete(watcher)
      }
    },

    /** Refuses a user with too many watches. */
    admit(userId: number) {
      const own = [...watchers].filter((watcher) => watcher.userId === userId)
      if (closed || watchers.size >= WATCHERS_MAX || own.length >= WATCHERS_OF_USER_MAX) {
        throw new GatewayError('http.too_many')
      }
    },

    watching: () => watchers.size,

    /** Ends every watch: clients reconnect to another node. */
    close() {
      closed = true
      clearTimeout(timer)
      for (const { wake } of watchers) wake()
    },
  }
}

/** Waits for a message, or until a heartbeat is due. */
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

/** A slow watcher misses entries, and receives the number of missed ones. */
function deliver({ waiting, wake }: Watcher, message: LogTailEvent) {
  if (message.rows.length === 0) return
  waiting.push(message)
  if (waiting.length > WAITING_MAX) {
    const [lost, next] = waiting.splice(0, 2)
    if (lost !== undefined && next !== undefined)
      waiting.unshift({ ...next, skipped: next.skipped + lost.skipped + lost.rows.length })
  }
  wake()
}

const needsGroups = ({ filter: { group, no_group } }: LogSearch) => group !== '' || no_group !== ''

function fits(row: StoredLog, search: LogSearch, groups: Groups) {
  const { start_timestamp: from, end_timestamp: until, request_id } = search.filter
  if (row.created_at < from || (until !== 0 && row.created_at > until)) return false
  if (request_id !== '' && row.request_id !== request_id) return false
  return conditionsOf(search).every(({ column, is, value }) => {
    if (column === 'group') return is === 'none' ? !groups.has(row.user_id) : groups.get(row.user_id) === value
    const own = row[column] ?? ''
    if (is === 'no model') return row.model_name === '' || String(own).includes(value)
    if (is === 'a model') return !String(own).includes(value)
    if (is === '>=') return Number(own) >= Number(value)
    return Array.isArray(value) ? value.includes(own) : own === value
  })
}
