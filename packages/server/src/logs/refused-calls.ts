import type { Outcome, Text } from '@tollgate/contract'
import { type Clock, monotonicMs, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import { detailText } from './call-detail.ts'
import { type RefusedRow, refusedCallsRepository } from './refused-calls-repository.ts'

/** A call that was refused before a channel was chosen. */
export interface RefusedCall {
  userId: number
  tokenId: number
  code: string
  model: string
  requestId: string
}

/** The content of its entry, built only for the first of many equal refusals. */
export interface RefusalNote {
  username: string
  tokenName: string
  /** As sent to the caller. */
  status: number
  outcome: Outcome
  content: Text
  stream: boolean
  session: string | undefined
  /** Whether a channel has the model: figures are kept forever, and callers make up names. */
  isOffered: boolean
  /** Whether its bodies are recorded. */
  recorded: boolean
  /** The candidates and why none was used, as JSON. */
  candidates: string | undefined
}

/** What the figures need to know of calls that share an entry. */
export interface RefusedCount
  extends Pick<RefusedRow, 'user_id' | 'created_at' | 'username' | 'token_name' | 'model_name' | 'outcome'> {
  count: number
}

export type RefusedCalls = ReturnType<typeof createRefusedCalls>

/** Equal refusals within this time share an entry. */
const SHARED_MS = 60_000
/** Entries are written after this delay, in batches. */
const WRITE_MS = 100
/** The update interval of counts. */
const COUNT_MS = 20_000

const BOUNDS = {
  /** Entries per minute. Above the first limit a user's refusals share an entry whatever the model, above the second none is written. */
  ofUser: 20,
  ofUserInAll: 40,
  ofAll: 600,
}
/** Entries that wait while the database is away. */
const KEPT_MAX = 3000
/** The number of calls sharing an entry that can be found by their own ids. */
const IDS_MAX = 20

interface Needs {
  db: Db
  clock: Clock
  log: Log
  /** Receives all written calls, in the same transaction. */
  count(tx: Tx, refused: readonly RefusedCount[]): Promise<void>
}

/** The calls that share one entry. */
interface Group {
  row: RefusedRow
  isOffered: boolean
  /** The entry's id, once it is written. */
  id: number | undefined
  detail: Record<string, unknown>
  candidates: string | undefined
  otherIds: string[]
  count: number
  countWritten: number
  lastAt: number
  endsMs: number
}

/**
 * The entries of refused calls: written in the background, batched, and bounded, so that nobody can fill the disk or slow down
 * the relay by being refused. While the database is away they wait; unwritten ones are lost when the process dies.
 */
export const createRefusedCalls = ({ db, clock, log, count: countAll }: Needs, bounds: Partial<typeof BOUNDS> = {}) => {
  const { ofUser, ofUserInAll, ofAll } = { ...BOUNDS, ...bounds }
  const groups = new Map<string, Group>()
  const groupsOfUser = new Map<number, number>()
  let unwritten: Group[] = []
  let ended: Group[] = []
  let lost = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing = Promise.resolve()
  let closed = false

  const wake = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), ms)
    timer.unref()
  }

  const end = (key: string, group: Group) => {
    groups.delete(key)
    ended.push(group)
    const { user_id } = group.row
    const left = (groupsOfUser.get(user_id) ?? 1) - 1
    if (left === 0) groupsOfUser.delete(user_id)
    else groupsOfUser.set(user_id, left)
  }

  /** The database was away. What is too much is lost. */
  const keepForLater = (fresh: readonly Group[], grown: readonly Group[]) => {
    const isOpen = new Set(groups.values())
    ended = [...new Set([...grown.filter((group) => !isOpen.has(group)), ...ended])]
    const all = [...fresh, ...unwritten]
    unwritten = all.slice(0, KEPT_MAX)
    for (const { count } of all.slice(KEPT_MAX)) lost += count
  }

  const write = async () => {
    const now = monotonicMs(clock)
    for (const [key, group] of groups) if (now >= group.endsMs) end(key, group)
    const fresh = unwritten
    const grown = [...ended, ...groups.values()].flatMap((group) =>
      group.id !== undefined && group.count > group.countWritten ? { group, id: group.id } : [],
    )
    unwritten = []
    ended = []
    // More calls may come while this is written: they are counted with the next write.
    const counted = [...fresh, ...grown.map(({ group }) => group)].map((group) => ({ group, count: group.count }))
    let hasFailed = false
    try {
      if (counted.length > 0) {
        const ids = await transact(db, async (tx) => {
          const repository = refusedCallsRepository(tx)
          await countAll(tx, counted.map(uncounted))
          const inserted = await repository.insert(fresh.map((group) => ({ ...group.row, detail: detailOf(group) })))
          for (const { group, id } of grown) await repository.setDetail(id, detailOf(group))
          return inserted
        })
        for (const group of fresh) group.id = ids.get(group.row.request_id)
        for (const { group, count } of counted) group.countWritten = count
      }
    } catch (error) {
      log.warn('Refused calls could not be written into the log', { entries: fresh.length, error })
      hasFailed = true
      keepForLater(
        fresh,
        grown.map(({ group }) => group),
      )
    }
    if (lost > 0) log.warn('Refused calls were not written into the log: too many at once', { calls: lost })
    lost = 0
    // A new entry that came meanwhile has started the shorter wait.
    const isNext = groups.size > 0 && unwritten.length === 0
    if ((isNext || hasFailed) && !closed) wake(COUNT_MS)
  }

  /** Writes pending entries. */
  const flush = () => {
    writing = writing.then(write)
    return writing
  }

  const open = (key: string, { userId, model, requestId, code }: RefusedCall, note: RefusalNote) => {
    const { username, tokenName, status, outcome, content, stream, session, isOffered, recorded, candidates } = note
    const at = seconds(clock)
    const group: Group = {
      row: {
        user_id: userId,
        created_at: at,
        username,
        token_name: tokenName,
        model_name: model,
        content: content.zh,
        content_en: content.en,
        request_id: requestId,
        is_stream: stream ? 1 : 0,
        session: session ?? null,
        outcome,
      },
      isOffered,
      id: undefined,
      detail: { status, code, ...(!isOffered && { counted_model: '' }), ...(recorded && { recorded }) },
      candidates,
      otherIds: [],
      count: 1,
      countWritten: 0,
      lastAt: at,
      endsMs: monotonicMs(clock) + SHARED_MS,
    }
    groups.set(key, group)
    groupsOfUser.set(userId, (groupsOfUser.get(userId) ?? 0) + 1)
    unwritten.push(group)
    if (unwritten.length === 1) wake(WRITE_MS)
  }

  const groupAt = (key: string) => {
    const group = groups.get(key)
    if (group === undefined || monotonicMs(clock) < group.endsMs) return group
    end(key, group)
    return undefined
  }

  const count = (group: Group, requestId: string) => {
    group.count++
    group.lastAt = seconds(clock)
    if (group.otherIds.length < IDS_MAX) group.otherIds.push(requestId)
  }

  return {
    note(call: RefusedCall, describe: () => RefusalNote) {
      if (closed) return
      const { userId, tokenId, code, model, requestId } = call
      const key = `${tokenId} ${code} ${model}`
      const same = groupAt(key)
      if (same !== undefined) return count(same, requestId)
      const ofThisUser = groupsOfUser.get(userId) ?? 0
      if (ofThisUser < ofUser && groups.size < ofAll) return open(key, call, describe())
      // Made-up model names must not create an entry each.
      const anyModel = `${tokenId} ${code}`
      const alike = groupAt(anyModel)
      if (alike !== undefined) return count(alike, requestId)
      if (ofThisUser < ofUserInAll && groups.size < ofAll) return open(anyModel, { ...call, model: '' }, describe())
      lost++
    },

    flush,

    /** Writes the rest, and nothing after it. */
    close() {
      closed = true
      clearTimeout(timer)
      for (const [key, group] of groups) end(key, group)
      return flush()
    },
  }
}

function uncounted({ group, count }: { group: Group; count: number }): RefusedCount {
  const { row, isOffered, countWritten } = group
  const { user_id, created_at, username, token_name, outcome } = row
  const model_name = isOffered ? row.model_name : ''
  return { user_id, created_at, username, token_name, outcome, model_name, count: count - countWritten }
}

function detailOf({ detail, count, lastAt, otherIds, candidates }: Group) {
  const shared = count === 1 ? {} : { count, last_at: lastAt, other_request_ids: otherIds }
  return detailText({ ...detail, ...shared }, candidates)
}
