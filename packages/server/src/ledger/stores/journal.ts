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
  let file: Promise<JournalFile> | undefined
  let writing = 0

  const removeWhenEmpty = async () => {
    if (file === undefined || kept.size > 0 || writing > 0) return
    const old = file
    file = undefined
    await (await old).remove()
  }

  const settleAll = async (name: string, writer: Pick<LedgerWriter, 'submit'>) => {
    const path = join(folder, name)
    const { commands, unreadable } = journalLines(await readFile(path, 'utf8'))
    const replayed = await Promise.all(commands.map((command) => replay(writer.submit(command))))
    const idsOf = (wanted: Replayed) => commands.filter((_, index) => replayed[index] === wanted).map(({ id }) => id)
    const missing = idsOf('missing')
    const refused = idsOf('refused')
    if (missing.length > 0) log.error('The journal has settlements of holds that are not in the books', { missing })
    if (refused.length > 0) log.error('The journal has settlements that the database refuses', { refused })
    if (unreadable > 0) log.error('The journal has lines that cannot be read', { unreadable })
    if (missing.length + refused.length + unreadable > 0) {
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
        file ??= createJournalFile(folder)
        await (await file).append(journalLine(command))
      } catch (error) {
        // A line may be torn, and the next one must not follow it.
        file = undefined
        kept.delete(command.id)
        throw error
      } finally {
        writing--
      }
      await removeWhenEmpty()
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
