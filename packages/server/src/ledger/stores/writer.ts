import type { Log } from '../../common/log.ts'
import type { Command, Result } from '../commands.ts'
import { LedgerReplaced, type LedgerStore, LedgerUnavailable, mustBeOnDisk, type Results } from './store.ts'

/** A batch that follows one of so many commands waits for others: as long as more arrive, at most these turns, and not if enough are waiting. */
const BUSY_BATCH = 4
const GATHER_TURNS = 3
const ENOUGH = 32

const BOUNDS = {
  /** Commands per commit. */
  batchMax: 256,
  /** Above this new calls are refused; commands that end a call never are. */
  waitingMax: 20_000,
  /** A batch that takes longer means that the database does not answer. */
  silentMs: 2000,
}

interface Options extends Partial<typeof BOUNDS> {
  /** One turn of a batch's wait for others, where each transaction costs a lot. Without it batches start at once. */
  gather?: (() => Promise<void>) | undefined
}

/** These wait while others end calls and release quota. */
const OPENING: readonly Command['type'][] = ['hold', 'extend', 'slice']

/** As many batches in a row that failed as a whole mean that the database takes no writes: its disk is full, for example. */
const FAILURES_MAX = 3
/** After this time without an attempt, nobody knows. */
const FAILURE_KEPT_MS = 10_000

/** The command was not attempted. */
export class LedgerBusy extends Error {}
export class LedgerSilent extends Error {}

export interface LedgerWriter {
  /** Resolves when the command is committed and, if it ends a call, durable. */
  submit(command: Command): Promise<Result>
  /** False while the database does not answer: new calls are refused at once then. */
  answers(): boolean
  /** False while batch after batch fails. New calls are still tried: only they can tell when it is over. */
  takesWrites(): boolean
  /** Queued commands. */
  waiting(): number
  /** The number of transactions, and their total duration. */
  commits(): { count: number; seconds: number }
  /** Resolves when the queue is empty. */
  drain(): Promise<void>
}

interface Waiting {
  command: Command
  resolve(result: Result): void
  reject(error: Error): void
}

/**
 * Group commit: commands that arrive during a transaction are queued and share the next one, so that a thousand calls cost a
 * handful of commits. Commands that end a call go first: they release quota. Where a batch is decided before it is on disk, what need not be
 * there is confirmed at once, and the next batch does not wait.
 */
export const createLedgerWriter = (store: LedgerStore, log: Log, options: Options = {}): LedgerWriter => {
  const { batchMax, waitingMax, silentMs, gather } = { ...BOUNDS, ...options }
  const closing: Waiting[] = []
  const opening: Waiting[] = []
  const idle: (() => void)[] = []
  let running = false
  /** When the batches started that have not ended, oldest first. */
  const unfinished = new Map<symbol, number>()
  let lastSize = 0
  const commits = { count: 0, seconds: 0 }

  let failures = 0
  let failedAt = 0
  const note = (error: unknown, batch: readonly Waiting[]) => {
    if (error !== undefined) {
      failures++
      failedAt = performance.now()
    } else if (batch.some(({ command }) => command.type === 'hold')) failures = 0 // what ends a call may have nothing to write
  }

  let isReplaced = false
  const answers = () => {
    const [oldest = Number.POSITIVE_INFINITY] = unfinished.values()
    return !isReplaced && performance.now() - oldest < silentMs
  }

  const waiting = () => closing.length + opening.length

  const gatherOthers = async () => {
    if (gather === undefined) return
    for (let turn = 0, before = 0; turn < GATHER_TURNS && before < waiting() && waiting() < ENOUGH; turn++) {
      before = waiting()
      await gather()
    }
  }

  const runNext = async () => {
    running = true
    // A turn of the event loop lets commands that arrived together be written together.
    await nextTurn()
    while (waiting() > 0) {
      // While the disk works on an earlier batch, there is time for others to join.
      if (unfinished.size > 0) await nextTurn()
      if (lastSize >= BUSY_BATCH) await gatherOthers()
      const batch = closing.splice(0, batchMax)
      batch.push(...opening.splice(0, batchMax - batch.length))
      lastSize = batch.length
      await new Promise<void>((onDecided) => void run(batch, onDecided))
    }
    running = false
    tellIdle()
  }

  /** Calls `onDecided` when the next batch may start. */
  const run = async (batch: Waiting[], onDecided: () => void) => {
    const name = Symbol()
    const startedAt = performance.now()
    unfinished.set(name, startedAt)
    const error = await settleBatch(store, batch, log, onDecided)
    unfinished.delete(name)
    note(error, batch)
    isReplaced ||= error instanceof LedgerReplaced
    commits.count++
    commits.seconds += (performance.now() - startedAt) / 1000
    onDecided()
    tellIdle()
  }

  const isIdle = () => !running && unfinished.size === 0
  const tellIdle = () => {
    if (isIdle()) for (const resolve of idle.splice(0)) resolve()
  }

  return {
    submit: (command) =>
      new Promise((resolve, reject) => {
        if (command.type === 'hold') {
          if (opening.length >= waitingMax) return reject(new LedgerBusy('The ledger is busy'))
          if (!answers()) return reject(new LedgerSilent('The database does not answer'))
        }
        const queue = OPENING.includes(command.type) ? opening : closing
        queue.push({ command, resolve, reject })
        if (!running) void runNext()
      }),
    answers,
    takesWrites: () => failures < FAILURES_MAX || performance.now() - failedAt > FAILURE_KEPT_MS,
    waiting,
    commits: () => commits,
    drain: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Returns an error if nothing of the batch was written. */
async function settleBatch(store: LedgerStore, batch: Waiting[], log: Log, onDecided?: () => void): Promise<unknown> {
  // What need not be on disk is confirmed when it is decided, and never run again.
  let unconfirmed: readonly Waiting[] = batch
  try {
    const results = await store.run(
      batch.map(({ command }) => command),
      (decided) => {
        unconfirmed = batch.filter(({ command }) => mustBeOnDisk(command))
        confirm(batch, decided, ({ command }) => !mustBeOnDisk(command))
        onDecided?.()
      },
    )
    confirm(batch, results, () => true)
    return undefined
  } catch (error) {
    // The database rejected one command; the others succeed on their own.
    if (batch.length > 1 && !(error instanceof LedgerUnavailable)) {
      const errors: unknown[] = []
      for (const one of unconfirmed) errors.push(await settleBatch(store, [one], log))
      return errors.includes(undefined) ? undefined : error
    }
    log.error('A batch of the ledger failed', { error, size: batch.length })
    const reason = error instanceof Error ? error : new Error(String(error))
    for (const { reject } of unconfirmed) reject(reason)
    return error
  }
}

function confirm(batch: readonly Waiting[], results: Results, which: (one: Waiting) => boolean) {
  for (const [index, one] of batch.entries()) {
    if (!which(one)) continue
    const result = results[index]
    if (result === undefined || result instanceof Error) one.reject(result ?? new Error('No result'))
    else one.resolve(result)
  }
}
