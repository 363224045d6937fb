import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { createLog } from '../../common/log.ts'
import { transact } from '../../database/client.ts'
import { engine } from '../../testing/database.ts'
import { ledgerFixture, watchedStore } from '../../testing/ledger-fixture.ts'
import { emptyBooks, HoldState } from '../books.ts'
import type { Command } from '../commands.ts'
import { runBatch } from './run-batch.ts'
import { type LedgerStore, LedgerUnavailable, mustBeOnDisk } from './store.ts'
import { createLedgerWriter, LedgerBusy, LedgerSilent } from './writer.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const quiet = createLog(() => {})

const ids = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`)

test('what arrives together is committed together, in batches of at most 256', async () => {
  const { store, hold, account } = await ledgerFixture()
  const watched = watchedStore(store)
  const writer = createLedgerWriter(watched.store, quiet)
  const results = await Promise.all(ids('h', 600).map((id) => writer.submit(hold(id, 1))))
  expect(results.every((result) => result.ok)).toBe(true)
  expect(watched.batches.map((batch) => batch.length)).toEqual([256, 256, 88])
  expect(await account()).toMatchObject({ quota: 1_000_000, held: 600 })
})

test('a batch after one of several commands waits as long as others come; one after a single command waits for nobody', async () => {
  const { store, hold } = await ledgerFixture()
  const watched = watchedStore(store)
  const turns = { waiting: 0, end: () => {} }
  const gather = () => {
    turns.waiting++
    return new Promise<void>((resolve) => {
      turns.end = resolve
    })
  }
  const writer = createLedgerWriter(watched.store, quiet, { gather })
  const submit = (...names: string[]) => names.map((id) => writer.submit(hold(id, 1)))
  await Promise.all(submit('a'))
  await Promise.all(submit('b', 'c', 'd', 'e'))
  expect(turns.waiting).toBe(0)
  const first = submit('f')
  const turn = async (number: number) => {
    while (turns.waiting < number) await new Promise((resolve) => setImmediate(resolve))
  }
  await turn(1)
  const others = submit('g', 'h')
  turns.end()
  await turn(2)
  turns.end()
  await Promise.all([...first, ...others])
  await Promise.all(submit('i'))
  expect(turns.waiting).toBe(2)
  expect(watched.batches.map((batch) => batch.map(({ id }) => id).join(''))).toEqual(['a', 'bcde', 'fgh', 'i'])
})

test('enough commands wait for no others', async () => {
  const { store, hold } = await ledgerFixture()
  const watched = watchedStore(store)
  const writer = createLedgerWriter(watched.store, quiet, { gather: () => new Promise(() => {}) })
  for (const name of ['a', 'b']) await Promise.all(ids(name, 40).map((id) => writer.submit(hold(id, 1))))
  expect(watched.batches.map((batch) => batch.length)).toEqual([40, 40])
})

test('commands that end a call go before those that begin one', async () => {
  const { store, hold, settle } = await ledgerFixture()
  const watched = watchedStore(store)
  const writer = createLedgerWriter(watched.store, quiet, { batchMax: 3, waitingMax: 100 })
  await Promise.all(ids('a', 2).map((id) => writer.submit(hold(id, 10))))
  const all = [
    ...ids('b', 3).map((id) => writer.submit(hold(id, 10))),
    writer.submit({ type: 'extend', id: 'a0', to: 20, now: 1 }),
    writer.submit({ type: 'progress', id: 'a0', used: 5 }),
    ...ids('a', 2).map((id) => writer.submit(settle(id, 5))),
  ]
  await Promise.all(all)
  expect(watched.batches.slice(1).map((batch) => batch.map(({ type, id }) => `${type} ${id}`))).toEqual([
    ['progress a0', 'settle a0', 'settle a1'],
    ['hold b0', 'hold b1', 'hold b2'],
    ['extend a0'],
  ])
})

test('with too many waiting, new calls are refused at once, and commands that end a call are accepted', async () => {
  const { store, hold, settle, account, app } = await ledgerFixture()
  const watched = watchedStore(store)
  const writer = createLedgerWriter(watched.store, quiet, { batchMax: 1, waitingMax: 3 })
  await writer.submit(hold('first', 10))
  watched.shut()
  const running = writer.submit(hold('running', 10))
  while (watched.batches.length < 2) await new Promise((resolve) => setImmediate(resolve))
  const waiting = ids('w', 3).map((id) => writer.submit(hold(id, 10)))
  expect(await writer.submit(hold('one too many', 10)).catch((error) => error)).toBeInstanceOf(LedgerBusy)
  const ending = writer.submit(settle('first', 7))
  watched.open()
  expect(await Promise.all([running, ending, ...waiting])).toMatchObject(Array(5).fill({ ok: true }))
  expect(await account()).toMatchObject({ quota: 999_993, held: 40 })
  expect(await app.audit()).toEqual([])
})

test('an invalid command does not affect others of its batch', async () => {
  const { store, hold, settle, account, app } = await ledgerFixture()
  const watched = watchedStore(store)
  const writer = createLedgerWriter(watched.store, quiet)
  await writer.submit(hold('a', 10))
  const results = await Promise.allSettled([
    writer.submit(settle('a', Number.NaN)),
    writer.submit(hold('b', 20)),
    writer.submit(hold('c', -5)),
    writer.submit(hold('d', 2_000_000)),
    writer.submit(settle('nobody', 5)),
    writer.submit(settle('a', 4)),
  ])
  expect(watched.batches).toHaveLength(2)
  expect(results.map((result) => String(result.status === 'fulfilled' ? result.value.ok : 'failed'))).toEqual([
    ...['failed', 'true', 'failed', 'false', 'false', 'true'],
  ])
  expect(await account()).toEqual({ quota: 999_996, held: 20, used_quota: 4, request_count: 1 })
  expect(await app.audit()).toEqual([])
})

test('a command that the database itself refuses does not affect others of its batch', async () => {
  const { store, hold, settle, account } = await ledgerFixture()
  const watched = watchedStore(store)
  const writer = createLedgerWriter(watched.store, quiet)
  await writer.submit(hold('a', 10))
  const unwritable = { ...hold('b', 20), price: null as unknown as string }
  const results = await Promise.allSettled([
    writer.submit(unwritable),
    writer.submit(hold('c', 30)),
    writer.submit(settle('a', 4)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(await account()).toEqual({ quota: 999_996, held: 30, used_quota: 4, request_count: 1 })
})

test('while another transaction writes, the ledger waits and the server keeps running', async () => {
  const { store, hold, app, user, account } = await ledgerFixture()
  const writer = createLedgerWriter(store, quiet)
  const { promise: wait, resolve: release } = Promise.withResolvers<void>()
  const { promise: started, resolve: hasStarted } = Promise.withResolvers<void>()
  const other = transact(app.db, async (tx) => {
    await app.parts.ledger.post(tx, { kind: 'topup', ref: 'meanwhile', userId: user.id, delta: 5 })
    hasStarted()
    await wait
  })
  await started
  let written = false
  const held = writer.submit(hold('a', 10)).then((result) => {
    written = true
    return result
  })
  // Turns of the event loop, and real requests, while the other transaction is open.
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  }
  expect(written).toBe(false)
  release()
  await other
  expect(await held).toEqual({ ok: true, type: 'held', fresh: true })
  expect(await account()).toMatchObject({ quota: 1_000_005, held: 10 })
  expect(await app.audit()).toEqual([])
})

test('waiting for the end of the work waits for all of it', async () => {
  const { store, hold } = await ledgerFixture()
  const watched = watchedStore(store)
  const writer = createLedgerWriter(watched.store, quiet, { batchMax: 1, waitingMax: 100 })
  await writer.drain()
  watched.shut()
  const ended: string[] = []
  const both = ['a', 'b'].map((id) => writer.submit(hold(id, 1)).then(() => ended.push(id)))
  const drained = writer.drain().then(() => ended.push('drained'))
  watched.open()
  await Promise.all([...both, drained])
  expect(ended).toEqual(['a', 'b', 'drained'])
})

test('calls begin while the disk takes what ends others, which are confirmed when it has', async () => {
  const { store, hold, settle, account, app } = await ledgerFixture()
  const disk = slowDisk(store)
  const writer = createLedgerWriter(disk.store, quiet, { silentMs: 1000 })
  await writer.submit(hold('a', 10))
  disk.stop()
  let ended = false
  const ending = writer.submit(settle('a', 4)).then((result) => {
    ended = true
    return result
  })
  const drained = writer.drain()
  expect(await writer.submit(hold('b', 20))).toMatchObject({ ok: true, fresh: true })
  expect(await writer.submit({ type: 'extend', id: 'b', to: 30, now: 1 })).toMatchObject({ ok: true })
  expect({ ended, answers: writer.answers(), waiting: writer.waiting() }).toEqual({
    ...{ ended: false, answers: true, waiting: 0 },
  })
  disk.goOn()
  expect(await ending).toMatchObject({ ok: true, charged: 4 })
  await drained
  expect(await account()).toEqual({ quota: 999_996, held: 30, used_quota: 4, request_count: 1 })
  expect(await app.audit()).toEqual([])
})

test('a disk that takes nothing for too long refuses new calls, until it does', async () => {
  const { store, hold, settle } = await ledgerFixture()
  const disk = slowDisk(store)
  const writer = createLedgerWriter(disk.store, quiet, { silentMs: 1 })
  await writer.submit(hold('a', 10))
  disk.stop()
  const ending = writer.submit(settle('a', 4))
  while (writer.answers()) await new Promise((resolve) => setImmediate(resolve))
  expect(await writer.submit(hold('b', 20)).catch((error) => error)).toBeInstanceOf(LedgerSilent)
  disk.goOn()
  expect(await ending).toMatchObject({ ok: true, charged: 4 })
  await writer.drain()
  expect(writer.answers()).toBe(true)
})

test('a hold that is confirmed is not run again when the disk fails for others of its batch', async () => {
  const { store, hold, settle, account, app } = await ledgerFixture()
  const disk = slowDisk(store)
  const writer = createLedgerWriter(disk.store, quiet)
  await writer.submit(hold('a', 10))
  disk.stop()
  const ending = writer.submit(settle('a', 4))
  expect(await writer.submit(hold('b', 20))).toMatchObject({ ok: true, fresh: true })
  // Its call has ended before the disk fails.
  const free = writer.submit({ ...settle('b', 0), done: false })
  disk.fail()
  expect(await Promise.all([ending, free])).toMatchObject([{ ok: true, charged: 4 }, { ok: true }])
  await writer.drain()
  expect(await account()).toEqual({ quota: 999_996, held: 0, used_quota: 4, request_count: 1 })
  expect(disk.holds).toEqual(['a', 'b'])
  expect(await app.audit()).toEqual([])
})

test('an unavailable database fails all waiting commands at once, without a retry for each', async () => {
  const { hold } = await ledgerFixture()
  let asked = 0
  const away: LedgerStore = {
    async run() {
      asked++
      throw new LedgerUnavailable('away')
    },
    close: async () => {},
  }
  const writer = createLedgerWriter(away, quiet)
  const answers = await Promise.allSettled(ids('h', 5).map((id) => writer.submit(hold(id, 1))))
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  expect(asked).toBe(1)
})

test('a batch that is run twice, because its commit was not confirmed, takes effect once', async () => {
  const { store, hold, settle, app, account } = await ledgerFixture()
  const batch = [hold('a', 10), hold('b', 10), settle('a', 4)]
  await store.run(batch)
  expect(await store.run(batch)).toMatchObject([
    { ok: true, type: 'held', fresh: false },
    { ok: true, type: 'held', fresh: false },
    { ok: true, type: 'settled', charged: 4, balance: undefined },
  ])
  expect(await account()).toEqual({ quota: 999_996, held: 10, used_quota: 4, request_count: 1 })
  expect(await app.audit()).toEqual([])
})

test('a late settlement reaches the balance, not only the ledger', async () => {
  const { store, hold, settle, app, account } = await ledgerFixture()
  await store.run([hold('a', 10), { type: 'progress', id: 'a', used: 6 }])
  await store.run([{ type: 'sweep', id: 'a', log: undefined, now: 3 }])
  await store.run([settle('a', 9)])
  expect(await account()).toEqual({ quota: 999_991, held: 0, used_quota: 9, request_count: 1 })
  expect(await app.audit()).toEqual([])
})

test('a closed epoch accepts no more holds', async () => {
  const { store, hold, app } = await ledgerFixture()
  await app.db.updateTable('owners').set({ closed_at: 5 }).execute()
  expect(await store.run([hold('a', 10)])).toEqual([{ ok: false, refusal: 'epoch' }])
  expect(await app.db.selectFrom('holds').selectAll().execute()).toEqual([])
})

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const amount = fc.integer({ min: 0, max: 400 })

test(`${engine} does with any batches what the reducer does in memory, and the ledger adds up (seed ${SEED})`, async () => {
  const { store, hold, settle, app, account, user, tokenId } = await ledgerFixture({ quota: 1000 })
  let world = 0
  const command = fc.oneof(
    fc.tuple(id, amount).map(([id, amount]): Command => hold(id, amount)),
    fc.tuple(id, amount).map(([id, actual]): Command => settle(id, actual)),
    fc.tuple(id, amount).map(([id, to]): Command => ({ type: 'extend', id, to, now: 1 })),
    fc.tuple(id, amount).map(([id, used]): Command => ({ type: 'progress', id, used })),
    id.map((id): Command => ({ type: 'sweep', id, log: undefined, now: 3 })),
  )
  const batches = fc.array(fc.array(command, { maxLength: 12 }), { maxLength: 5 })
  const property = fc.asyncProperty(batches, async (batches) => {
    const prefix = `${++world}-`
    const before = await account()
    const books = emptyBooks()
    books.living.add((await app.db.selectFrom('owners').select('epoch').executeTakeFirstOrThrow()).epoch)
    books.users.set(user.id, { id: user.id, status: 1, overrun: 0, ...before })
    books.tokens.set(tokenId, {
      ...{ id: tokenId, user_id: user.id, status: 1, remain_quota: 0, held: 0, used_quota: 0, unlimited_quota: 1 },
      ...{ expired_time: -1, accessed_time: 0, deleted: 0 },
    })
    for (const batch of batches) {
      // A settled call does not come again.
      const isOver = (id: string) => books.holds.get(id)?.state === HoldState.settled
      const named = batch
        .map((command) => ({ ...command, id: prefix + command.id }))
        .filter(({ type, id }) => type !== 'hold' || !isOver(id))
      const expected = runBatch(books, named)
      expect(named.length === 0 ? [] : await store.run(named)).toEqual(expected)
    }
    const { quota, held, used_quota, request_count } = books.users.get(user.id) ?? before
    expect(await account()).toEqual({ quota, held, used_quota, request_count })
    expect(await app.audit()).toEqual([])
  })
  await fc.assert(property, { seed: SEED, numRuns: 60, endOnFailure: true })
}, 60_000)

/** A store that tells what it has decided before it confirms it, with a disk that can be stopped. */
function slowDisk(store: LedgerStore) {
  let disk = Promise.withResolvers<void>()
  disk.resolve()
  const holds: string[] = []
  return {
    holds,
    stop() {
      disk = Promise.withResolvers()
    },
    goOn: () => disk.resolve(),
    /** What waits for it is lost; it works again for what follows. */
    fail() {
      const failed = disk
      disk = Promise.withResolvers()
      disk.resolve()
      failed.reject(new Error('The disk failed'))
    },
    store: {
      async run(commands, onDecided) {
        const { promise } = disk
        const results = await store.run(commands)
        holds.push(...commands.flatMap(({ type, id }) => (type === 'hold' ? [id] : [])))
        onDecided?.(results)
        if (commands.some(mustBeOnDisk)) await promise
        return results
      },
      close: () => store.close(),
    } satisfies LedgerStore,
  }
}
