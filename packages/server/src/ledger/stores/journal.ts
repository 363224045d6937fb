import { renameSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../common/log.ts'
import type { Result, SettleCommand } from '../commands.ts'
import { codeOf } from './error-code.ts'
import { createJournalFile, JOURNAL_ENDING, type JournalFile, journalLocks } from './journal-file.ts'
import { journalLine, journalLines } from './journal-lines.ts'
import type { LedgerWriter } from './writer.ts'

/**
 * Settlements that the database did not accept in time, in a file of this process until it does: the end of an answer is not
 * sent before its charge is durable somewhere. While the database answers it has no file.
 */
export interface Journal {
  /** Resolves when it is on disk. */
  keep(command: SettleCommand): Promise<void>
  /** The database has it now. */
  done(id: string): void
  /** Settles what dead processes left behind; a settlement that the database already has changes nothing. */
  replay(writer: Pick<LedgerWriter, 'submit'>): Promise<void>
}

/** The suffix of a journal that needs manual inspection. */
const UNREAD = '.unread'

type Replayed = 'settled' | 'missing' | 'refused'

/** Refused: the row itself is wrong, and would be for ever, while others and the start of the process wait. */
async function replay(settling: Promise<Result>): Promise<Replayed> {
  try {
    return (await settling).ok ? 'settled' : 'missing'
  } catch (error) {
    if (REFUSED.test(codeOf(error))) return 'refused'
    throw error
  }
}

const REFUSED = /^2[23]\w{3}$|^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/

export const createJournal = (folder: string, log: Log): Journal => {
  const take = journalLocks(folder)
  const kept = new Set<string>()
  /** Logged once each, although they are tried again and again. */
  const unreadable = new Set<string>()
  let file: Promise<JournalFile> | undefined
  let writing = 0

  const removeWhenEmpty = async () => {
    if (file === undefined || kept.size > 0 || writing > 0) return
    const old = file
    file = undefined
    await (await old).remove()
  }

  const append = async (line: string) => {
    file ??= createJournalFile(folder)
    const used = file
    const opened = await used.catch((error) => {
      if (file === used) file = undefined
      throw error
    })
    await opened.append(line).catch(async (error) => {
      if (file === used && opened.isBroken()) {
        file = undefined
        await opened.leave()
      }
      throw error
    })
  }

  /** Undefined when another process has just settled it, or it cannot be read: that must not stop the others, or the start. */
  const read = async (path: string) => {
    try {
      const text = await readFile(path, 'utf8')
      unreadable.delete(path)
      return text
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && !unreadable.has(path)) {
        unreadable.add(path)
        log.error('A journal cannot be read; its settlements are missing in the books', { journal: path, error })
      }
      return undefined
    }
  }

  const settleAll = async (name: string, writer: Pick<LedgerWriter, 'submit'>) => {
    const path = join(folder, name)
    const text = await read(path)
    if (text === undefined) return
    const { commands, unreadable: strange } = journalLines(text)
    const replayed = await Promise.all(commands.map((command) => replay(writer.submit(command))))
    const idsOf = (wanted: Replayed) => commands.filter((_, index) => replayed[index] === wanted).map(({ id }) => id)
    const missing = idsOf('missing')
    const refused = idsOf('refused')
    if (missing.length > 0) log.error('The journal has settlements of holds that are not in the books', { missing })
    if (refused.length > 0) log.error('The journal has settlements that the database refuses', { refused })
    if (strange > 0) log.error('The journal has lines that cannot be read', { unreadable: strange })
    if (missing.length + refused.length + strange > 0) {
      log.error('The journal is kept', { journal: `${path}${UNREAD}` })
      renameSync(path, `${path}${UNREAD}`)
    } else rmSync(path)
    if (commands.length > 0) {
      log.warn('Settled what a process that died had kept in its journal', { settlements: commands.length })
    }
  }

  return {
    async keep(command) {
      kept.add(command.id)
      writing++
      try {
        await append(journalLine(command))
      } catch (error) {
        kept.delete(command.id)
        throw error
      } finally {
        writing--
        await removeWhenEmpty()
      }
    },
    done(id) {
      kept.delete(id)
      removeWhenEmpty().catch((error) => log.error('The journal could not be removed', { error }))
    },
    async replay(writer) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names.filter((each) => each.endsWith(JOURNAL_ENDING))) {
        // Its writer is alive.
        const lock = await take(name)
        if (lock === undefined) continue
        try {
          await settleAll(name, writer)
        } finally {
          await lock.release()
        }
      }
    },
  }
}
