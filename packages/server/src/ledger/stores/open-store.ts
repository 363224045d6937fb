import { join } from 'node:path'
import type { Clock } from '../../common/clock.ts'
import type { Log } from '../../common/log.ts'
import type { Database, Db } from '../../database/client.ts'
import { SLICE_IDS } from '../slice.ts'
import { withoutBrokenDisk } from './broken-disk.ts'
import { createJournal } from './journal.ts'
import { createOwner } from './owner.ts'
import { createPostgresStore } from './postgres-store.ts'
import { createSlices } from './slices.ts'
import { createSqliteStore } from './sqlite-store.ts'
import { createWriteBehind } from './write-behind.ts'
import { createLedgerWriter } from './writer.ts'

export type OpenBooks = Awaited<ReturnType<typeof openBooks>>

const SWEEP_EVERY_SEC = 5
/** On PostgreSQL a transaction costs as much as the rows of many calls, and each of several processes has fewer of them for its own. */
const GATHER_MS = 2

interface Place {
  location: string
  dataDir: string
}

/** Opens the ledger for calls: a writer, and an epoch of this process. What dead processes left open is ended first. */
export const openBooks = async (database: Database, { location, dataDir }: Place, clock: Clock, log: Log) => {
  const { db, engine } = database
  const folder = join(dataDir, 'settlements')
  const journal = createJournal(folder, log)
  let isReplaced = () => false
  const openSqlite = () => {
    const file = createSqliteStore(location)
    isReplaced = file.isReplaced
    const behind = createWriteBehind(file, { folder, keep: journal.keep, log })
    database.readAfter(behind.flush)
    return behind
  }
  const store = engine === 'postgres' ? createPostgresStore(location) : openSqlite()
  const plain = createLedgerWriter(
    withoutBrokenDisk(store, (error) => {
      log.error('The disk failed; the process ends, and the next one goes on from what was kept', { error })
      process.exit(1)
    }),
    log,
    engine === 'postgres' ? { gather: () => Bun.sleep(GATHER_MS) } : {},
  )
  const owner = await createOwner(db, engine, location, clock)
  const sliced =
    engine === 'postgres' ? createSlices({ writer: plain, epochs: owner, isLent: isLent(db), clock }) : undefined
  const writer = sliced ?? plain

  const sweep = async () => {
    // Exact settlements first, before holds whose usage is only known by their progress.
    await journal.replay(writer)
    const ended = await owner.sweep(writer)
    if (ended > 0) log.warn('Ended the holds of a process that died', { holds: ended })
  }
  await sweep()

  return {
    writer,
    isReplaced: () => isReplaced(),
    /** How many calls are held without a row of their own. */
    callsInSlices: () => sliced?.calls() ?? 0,
    epochs: owner,
    journal,
    sweeper: { name: 'sweep', everySec: SWEEP_EVERY_SEC, onEveryNode: true as const, run: sweep },
    async close() {
      await sliced?.close()
      await writer.drain()
      await owner.close()
      await store.close()
    },
  }
}

export const isLent =
  (db: Db): Parameters<typeof createSlices>[0]['isLent'] =>
  async ({ userId, tokenId }, epoch) => {
    const lent = await db
      .selectFrom('holds')
      .select('id')
      .where('user_id', '=', userId)
      .where('state', '=', 0)
      .where('id', 'like', SLICE_IDS)
      .where('epoch', '!=', epoch)
      .$if(tokenId !== undefined, (query) => query.where('token_id', '=', tokenId ?? 0))
      .executeTakeFirst()
    return lent !== undefined
  }
