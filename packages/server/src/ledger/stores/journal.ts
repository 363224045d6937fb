import { closeSync, fdatasync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from '../../common/log.ts'
import type { SettleCommand } from '../commands.ts'
import { journalLine, journalLines } from './journal-lines.ts'
import { type Lock, locksOf } from './locks.ts'
import type { LedgerWriter } from './writer.ts'

/**
 * Settlements that the database did not accept in time, in a file of this process until it does: the end of an answer is not
 * sent before its charge is durable somewhere. While the database answers there is no file.
 */
export interface Journal {
  /** Resolves when it is on disk. */
  keep(command: SettleCommand): Promise<void>
  /** The database has it now. */
  done(id: string): void
  /** Settles what dead processes left behind; a settlement that the database already has changes nothing. */
  replay(writer: Pick<LedgerWriter, 'submit'>): Promise<void>
}

const ENDING = '.jsonl'
/** The suffix of a journal that needs manual inspection. */
const UNREAD = '.unread'
const toDisk = promisify(fdatasync)

export const createJournal = (folder: string, log: Log): Journal => {
  // Files and locks are on the local disk: it is the database that does not answer.
  const take = locksOf('sqlite', join(folder, 'journal'))
  const kept = new Set<string>()
  let file: Promise<OpenFile> | undefined
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
    const results = await Promise.all(commands.map((command) => writer.submit(command)))
    const missing = commands.filter((_, index) => results[index]?.ok === false).map(({ id }) => id)
    if (missing.length > 0) log.error('The journal has settlements of holds that are not in the books', { missing })
    if (unreadable > 0) {
      log.error('The journal has lines that cannot be read; it is kept', { journal: `${path}${UNREAD}`, unreadable })
      renameSync(path, `${path}${UNREAD}`)
    } else rmSync(path)
    log.warn('Settled what a process that died had kept in its journal', { settlements: commands.length })
  }

  return {
    async keep(command) {
      kept.add(command.id)
      writing++
      try {
        file ??= createFile(folder, take)
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
      for (const name of names.filter((each) => each.endsWith(ENDING))) {
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

interface OpenFile {
  append(line: string): Promise<void>
  remove(): Promise<void>
}

async function createFile(folder: string, take: (name: string) => Promise<Lock | undefined>): Promise<OpenFile> {
  const name = `${Bun.randomUUIDv7()}${ENDING}`
  const path = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = await take(name)
  const file = openSync(path, 'ax', 0o600)
  syncFolder(folder)
  let isTorn = false
  let syncing: Promise<void> | undefined
  let next: Promise<void> | undefined
  /** Callers during a sync share the next one, which starts after their line was written. */
  const sync = () => {
    next ??= (syncing ?? Promise.resolve()).then(() => {
      next = undefined
      syncing = toDisk(file)
      return syncing
    })
    return next
  }
  return {
    async append(line) {
      if (isTorn) throw new Error('The journal ends with half a line')
      isTorn = true
      writeWhole(file, line)
      isTorn = false
      await sync()
    },
    async remove() {
      closeSync(file)
      rmSync(path)
      await lock?.release()
    },
  }
}

/** A disk that is nearly full takes a part without complaint, and refuses only the rest. */
function writeWhole(file: number, line: string) {
  const bytes = Buffer.from(line)
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** A file whose directory entry is not synced is lost after a power cut. */
function syncFolder(folder: string) {
  const directory = openSync(folder, 'r')
  fsyncSync(directory)
  closeSync(directory)
}
