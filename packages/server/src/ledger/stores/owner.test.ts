import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createLog } from '../../common/log.ts'
import { openDatabase } from '../../database/client.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { engine } from '../../testing/database.ts'
import { refusedAddress } from '../../testing/fake-upstream.ts'
import { ledgerFixture } from '../../testing/ledger-fixture.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import type { Result } from '../commands.ts'
import { locksOf } from './locks.ts'
import { type OpenBooks, openBooks } from './open-store.ts'
import { createOwner } from './owner.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/** A second process on the same ledger, as far as locks are concerned. It ends before the test's own database is emptied. */
async function withSecondBooks({ location, dataDir }: TestApp, work: (books: OpenBooks) => Promise<void>) {
  const database = openDatabase(location)
  const books = await openBooks(
    database,
    { location, dataDir },
    { now: () => Date.now() },
    createLog(() => {}),
  )
  await work(books)
  await books.close()
  await database.close()
}

test('a process that was declared dead starts a new epoch with its next call, and keeps working', async () => {
  const { app, channel, chat, openHolds } = await relayFixture()
  await channel('say/5')
  expect((await chat('say/5')).status).toBe(200)
  await app.db.updateTable('owners').set({ closed_at: 5 }).execute()
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await chat('say/5')).status))
  expect(statuses).toEqual(Array(20).fill(200))
  const owners = await app.db.selectFrom('owners').select('closed_at').orderBy('epoch').execute()
  expect(owners).toEqual([{ closed_at: 5 }, { closed_at: null }])
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('a sweep that was interrupted is finished by the next process', async () => {
  const { app, store, hold, account } = await ledgerFixture()
  await app.db.insertInto('owners').values({ epoch: 'dead', node: 'n', started_at: 1, closed_at: null }).execute()
  await store.run([{ ...hold('a', 100), epoch: 'dead' }])
  await app.db.updateTable('owners').set({ closed_at: 5 }).where('epoch', '=', 'dead').execute()
  expect((await app.audit()).map(({ invariant }) => invariant)).toEqual(['I10'])
  await testApp({ location: app.location })
  expect(await account()).toMatchObject({ quota: 1_000_000, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('an epoch is closed before its holds are ended, so that none can be added; its lock is free afterwards', async () => {
  const { app, store, hold } = await ledgerFixture()
  await app.db.insertInto('owners').values({ epoch: 'dead', node: 'n', started_at: 1, closed_at: null }).execute()
  await store.run([{ ...hold('a', 100), epoch: 'dead' }])
  const owner = await createOwner(app.db, engine, app.location, app.clock)
  const late: (Result | Error)[] = []
  const ended = await owner.sweep({
    async submit(command) {
      late.push(...(await store.run([{ ...hold('late', 1), epoch: 'dead' }])))
      const [result] = await store.run([command])
      if (result === undefined || result instanceof Error) throw result
      return result
    },
    answers: () => true,
    takesWrites: () => true,
    waiting: () => 0,
    commits: () => ({ count: 0, seconds: 0 }),
    drain: async () => {},
  })
  expect(ended).toBe(1)
  expect(late).toEqual([{ ok: false, refusal: 'epoch' }])
  const lock = await locksOf(engine, app.location)('dead')
  expect(lock).toBeDefined()
  await lock?.release()
  await owner.close()
})

test('a stream whose process died is charged for its progress, and the log says that it was recovered', async () => {
  const { app, store, hold, account, user } = await ledgerFixture()
  await app.db.insertInto('owners').values({ epoch: 'dead', node: 'n', started_at: 1, closed_at: null }).execute()
  const price = JSON.stringify({ model: 'gpt-x' })
  await store.run([
    { ...hold('stream', 100), epoch: 'dead', price },
    { ...hold('plain', 100), epoch: 'dead', price },
  ])
  await store.run([{ type: 'progress', id: 'stream', used: 30 }])
  await withSecondBooks(app, async () => {
    expect(await account()).toEqual({ quota: 999_970, held: 0, used_quota: 30, request_count: 1 })
    const logs = await app.db.selectFrom('logs').selectAll().where('type', '=', 2).execute()
    expect(logs).toMatchObject([{ user_id: user.id, model_name: 'gpt-x', quota: 30, request_id: 'stream' }])
    expect(JSON.parse(logs[0]?.detail ?? '')).toMatchObject({ flag: 'recovered', source: 'estimated' })
  })
  expect(await app.audit()).toEqual([])
})

test('nobody sweeps the holds of a live process', async () => {
  const { app, store, hold, account } = await ledgerFixture()
  await store.run([hold('a', 100)])
  await withSecondBooks(app, async (others) => {
    await others.sweeper.run()
    expect(await account()).toMatchObject({ held: 100 })
    const closed = await app.db.selectFrom('owners').select('epoch').where('closed_at', 'is not', null).execute()
    expect(closed).toEqual([])
  })
})

test('a process that stops properly closes its epoch', async () => {
  const { app } = await ledgerFixture()
  const database = openDatabase(app.location)
  const books = await openBooks(
    database,
    app,
    { now: () => 7000 },
    createLog(() => {}),
  )
  const epoch = books.epochs.current()
  await books.close()
  await database.close()
  const owner = await app.db.selectFrom('owners').select('closed_at').where('epoch', '=', epoch).executeTakeFirst()
  expect(owner).toEqual({ closed_at: 7 })
})

if (engine === 'postgres') {
  test('a lock that was lost with its connection is taken again, and a new epoch starts beside the old one', async () => {
    const { app, store, hold, account } = await ledgerFixture()
    await withSecondBooks(app, async (books) => {
      const epoch = books.epochs.current()
      books.epochs.opened(epoch)
      // As after a failover to a copy that lags behind: this process settled it, and does not know it any more.
      await store.run([{ ...hold('settled on the lost server', 100), epoch }])
      await endConnectionOf(app.db, epoch)
      await books.sweeper.run()
      expect(books.epochs.current()).not.toBe(epoch)
      expect(await holdersOf(app.db, epoch)).toHaveLength(1)
      expect(await holdersOf(app.db, books.epochs.current())).toHaveLength(1)
      expect(await account()).toMatchObject({ held: 100 })
      // The old one ends with the last of its holds that this process knows.
      books.epochs.ended(epoch)
      await books.sweeper.run()
      expect(await holdersOf(app.db, epoch)).toEqual([])
      expect(await account()).toMatchObject({ quota: 1_000_000, held: 0 })
      const [owner] = await app.db
        .selectFrom('owners')
        .select(['closed_at', 'lost_at'])
        .where('epoch', '=', epoch)
        .execute()
      expect(owner).toEqual({ closed_at: expect.any(Number), lost_at: null })
    })
  })

  test('a retired epoch keeps its lock through another lost connection', async () => {
    const { app } = await ledgerFixture()
    await withSecondBooks(app, async (books) => {
      const epoch = books.epochs.current()
      books.epochs.opened(epoch)
      for (let round = 0; round < 2; round++) {
        await endConnectionOf(app.db, epoch)
        await books.sweeper.run()
        expect(await holdersOf(app.db, epoch)).toHaveLength(1)
      }
    })
  })

  test('after a restart of the database, which takes all locks, nobody is taken for dead who takes its lock again', async () => {
    const { app, store, hold, account } = await ledgerFixture()
    await app.db.insertInto('owners').values({ epoch: 'dead', node: 'n', started_at: 1, closed_at: null }).execute()
    await withSecondBooks(app, (books) =>
      withSecondBooks(app, async (others) => {
        await app.db.updateTable('owners').set({ closed_at: null }).where('epoch', '=', 'dead').execute()
        const epoch = others.epochs.current()
        others.epochs.opened(epoch)
        await store.run(
          [hold('of the dead', 10), hold('of the living', 100)].map((each, index) => ({
            ...each,
            epoch: index === 0 ? 'dead' : epoch,
          })),
        )
        for (const each of [epoch, books.epochs.current()]) await endConnectionOf(app.db, each)
        await books.sweeper.run()
        expect(await account()).toMatchObject({ held: 110 })
        await others.sweeper.run()
        for (let round = 0; round < 2; round++) await books.sweeper.run()
        expect(await account()).toMatchObject({ held: 100 })
        others.epochs.ended(epoch)
      }),
    )
  })

  test('a lock that another process took meanwhile means a new epoch', async () => {
    const { app } = await ledgerFixture()
    await withSecondBooks(app, (books) =>
      withSecondBooks(app, async (others) => {
        const epoch = books.epochs.current()
        await endConnectionOf(app.db, epoch)
        await others.sweeper.run()
        const owner = await app.db
          .selectFrom('owners')
          .select('closed_at')
          .where('epoch', '=', epoch)
          .executeTakeFirst()
        expect(owner?.closed_at).toBeNumber()
        await books.epochs.renew(epoch)
        expect(books.epochs.current()).not.toBe(epoch)
        expect(await holdersOf(app.db, books.epochs.current())).toHaveLength(1)
      }),
    )
  })
}

type Db = Parameters<typeof openBooks>[0]['db']

/** The backends that hold the lock of an epoch. */
async function holdersOf(db: Db, epoch: string) {
  const found = await sql<{ pid: number }>`
    SELECT pid FROM pg_locks, (SELECT hashtextextended(${epoch}, 0) AS key) lock
    WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = ((lock.key >> 32) & 4294967295)::bigint::oid AND objid = (lock.key & 4294967295)::bigint::oid`.execute(
    db,
  )
  return found.rows
}

async function endConnectionOf(db: Db, epoch: string) {
  const [holder] = await holdersOf(db, epoch)
  await sql`SELECT pg_terminate_backend(${holder?.pid ?? 0}, 10000)`.execute(db)
  expect(await holdersOf(db, epoch)).toEqual([])
}

test('a lock that cannot be taken because of the disk or the database is not one of another process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-locks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'locks'))
  writeFileSync(join(folder, 'locks', 'mine.lock'), 'This is no database, and a full disk is none either. '.repeat(99))
  const location = { sqlite: join(folder, 'tollgate.db'), postgres: `${await refusedAddress()}/none` }[engine]
  const taken = locksOf(engine, location.replace('http:', 'postgres:'))('mine')
  // With a code: at the start it is a sentence and not a stack.
  expect(await taken.catch((error) => error)).toMatchObject({ code: expect.stringMatching(/^SQLITE_|^ERR_POSTGRES/) })
})
