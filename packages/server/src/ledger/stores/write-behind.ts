import type { Log } from '../../common/log.ts'
import type { Command, SettleCommand } from '../commands.ts'
import { createChargeJournal } from './charge-journal.ts'
import { journalLine } from './journal-lines.ts'
import { isBusy, type SqliteStore, untilFree } from './sqlite-store.ts'
import { isLasting, type LedgerStore } from './store.ts'

/** How long the tables may lag behind what was decided. */
const BEHIND_MS = 50
/** As many are written at once: a transaction blocks the streams of this process. */
const COMMANDS_MAX = 512
const RETRY_MS = 500
/** The journal is cleared when it has this size, or after this time without a transaction. */
const JOURNAL_BYTES_MAX = 1024 * 1024
const IDLE_MS = 1000

export interface WriteBehind extends LedgerStore {
  /** Writes what was decided, so that others can read it. Undefined when there is nothing to write. */
  flush(): Promise<void> | undefined
}

interface Needs {
  /** Of journals. */
  folder: string
  /** Remembers a charge that the tables refuse. */
  keep(charge: SettleCommand): Promise<void>
  log: Log
  behindMs?: number
}

/**
 * The ledger on a SQLite file that no other process uses: commands are decided in memory, a charge is confirmed when it is in a
 * journal on disk, and the tables follow some milliseconds later, in one transaction for all calls of that time. A hold that has
 * ended by then never was a row. If the process is killed, the next one settles the charges of the journal, and holds without a
 * row need no release. With another process on the file every batch is a transaction of its own.
 */
export const createWriteBehind = (
  store: SqliteStore,
  { folder, keep, log, behindMs = BEHIND_MS }: Needs,
): WriteBehind => {
  const journal = createChargeJournal(folder, store.sync)
  let timer: Timer | undefined
  let idle: Timer | undefined
  let isFailing = false

  const refuse = (error: unknown, commands: readonly Command[]) => {
    const ids = commands.map(({ id }) => id)
    log.error('The database refused commands of the ledger', { error, ids })
    for (const charge of commands.filter(isCharge)) {
      keep(charge).catch((reason) => log.error('A charge could not be kept', { error: reason, ...charge }))
    }
  }

  const write = () => {
    if (store.unwritten().length === 0) return
    try {
      store.write()
    } catch (error) {
      if (isBusy(error)) throw error
      refuse(error, writeEach(store, error))
    }
    // In the same turn of the event loop as the transaction, because nothing has been appended since.
    if (journal.size() > JOURNAL_BYTES_MAX) journal.clear()
    clearTimeout(idle)
    idle = setTimeout(clearJournal, IDLE_MS)
  }
  const clearJournal = () => {
    if (store.unwritten().length === 0 && journal.size() > 0) journal.clear()
  }

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    try {
      await untilFree(write)
      isFailing = false
    } catch (error) {
      isFailing = true
      timer ??= setTimeout(flushAlone, RETRY_MS)
      throw error
    }
  }
  const flushAlone = () => {
    flush().catch((error) => log.error('The ledger could not be written', { error }))
  }

  return {
    flush: () => (store.unwritten().length === 0 ? undefined : flush()),
    async run(commands, onDecided) {
      const isAlone = store.isAlone()
      // Nothing more is decided while the disk takes nothing.
      if (isFailing || !isAlone) await flush()
      if (!isAlone) return store.run(commands)
      const results = store.decide(commands)
      onDecided?.(results)
      timer ??= setTimeout(flushAlone, behindMs)
      const charges = commands.filter(isCharge)
      if (charges.length > 0) await journal.append(charges.map(journalLine).join(''))
      if (store.unwritten().length >= COMMANDS_MAX) await flush()
      if (commands.some(isNotInJournal)) {
        await flush()
        await store.sync()
      }
      return results
    },
    async close() {
      try {
        await flush()
        await journal.close()
      } catch (error) {
        log.error('The ledger could not be written; the next start goes on from its journal', { error })
      }
      clearTimeout(timer)
      clearTimeout(idle)
      await store.close()
    },
  }
}

/** A failed call has nothing to remember. */
function isCharge(command: Command): command is SettleCommand {
  return command.type === 'settle' && (command.done || command.actual > 0)
}

function isNotInJournal(command: Command) {
  return command.type === 'sweep' || isLasting(command)
}

/**
 * The database has refused the transaction: each command is written alone. Returns those that it refuses; throws `error` if it takes
 * none.
 */
function writeEach(store: SqliteStore, error: unknown) {
  const commands = store.unwritten()
  const refused: Command[] = []
  store.discard()
  for (const [index, command] of commands.entries()) {
    try {
      store.write([command])
    } catch (reason) {
      if (isBusy(reason)) {
        store.decide([...refused, ...commands.slice(index)])
        throw reason
      }
      refused.push(command)
    }
  }
  if (refused.length === commands.length) {
    store.decide(commands)
    throw error
  }
  return refused
}
