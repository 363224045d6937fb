import { closeSync, fdatasync, fsyncSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { locksOf } from './locks.ts'

export const JOURNAL_ENDING = '.jsonl'

/** A file of lines, locked for as long as its process lives. */
export interface JournalFile {
  /** Resolves when the line is on disk. */
  append(line: string): Promise<void>
  /** In bytes. */
  size(): number
  clear(): void
  remove(): Promise<void>
  /** True after a failed sync: what the file contains on disk is unknown, and it takes no more lines. */
  isBroken(): boolean
  /** Gives up the file, with its lines, to whoever replays journals. */
  leave(): Promise<void>
}

const toDisk = promisify(fdatasync)

/**
 * Zeros are written ahead of the lines: a sync that does not change the length of the file is one write of the disk instead of several.
 */
const AHEAD = Buffer.alloc(64 * 1024)

/** Files and locks are on the local disk, whatever the database is. */
export const journalLocks = (folder: string) => locksOf('sqlite', join(folder, 'journal'))

export async function createJournalFile(folder: string): Promise<JournalFile> {
  const name = `${Bun.randomUUIDv7()}${JOURNAL_ENDING}`
  const path = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = await journalLocks(folder)(name)
  // Without it the next replay would remove the file.
  if (lock === undefined) throw new Error('The lock of a new journal cannot be taken')
  const file = await openNew(folder, path).catch(async (error) => {
    await lock.release()
    throw error
  })
  let end = 0
  let allocated = 0
  let isBroken = false
  let isOpen = true
  let syncing: Promise<void> | undefined
  let next: Promise<void> | undefined
  /** Callers during a sync share the next one, which starts after their line was written. */
  const sync = () => {
    next ??= (syncing ?? Promise.resolve()).then(() => {
      next = undefined
      syncing = toDisk(file).catch((error) => {
        isBroken = true
        throw error
      })
      return syncing
    })
    return next
  }
  const write = (bytes: Buffer) => {
    try {
      for (; allocated < end + bytes.length; allocated += AHEAD.length) writeWhole(file, AHEAD, allocated)
      writeWhole(file, bytes, end)
    } catch (error) {
      // The next line must not follow half a one.
      isBroken = true
      ftruncateSync(file, end)
      allocated = end
      isBroken = false
      throw error
    }
  }
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await (next ?? syncing)?.catch(() => {})
    closeSync(file)
    await lock.release()
  }
  return {
    async append(line) {
      if (isBroken || !isOpen) throw new Error('The journal takes no more lines')
      const bytes = Buffer.from(line)
      write(bytes)
      end += bytes.length
      await sync()
    },
    size: () => end,
    clear() {
      if (!isOpen) return
      ftruncateSync(file, 0)
      end = 0
      allocated = 0
    },
    async remove() {
      try {
        rmSync(path)
      } finally {
        await close()
      }
    },
    isBroken: () => isBroken,
    leave: close,
  }
}

async function openNew(folder: string, path: string) {
  const file = openSync(path, 'wx', 0o600)
  try {
    syncFolder(folder)
  } catch (error) {
    closeSync(file)
    throw error
  }
  return file
}

/** A disk that is nearly full takes a part without complaint, and refuses only the rest. */
function writeWhole(file: number, bytes: Buffer, position: number) {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at)
}

/** A file whose directory entry is not synced is lost after a power cut. */
function syncFolder(folder: string) {
  const directory = openSync(folder, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
