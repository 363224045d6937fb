import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { createLog } from '../../common/log.ts'
import { callLog, ledgerFixture, watchedStore } from '../../testing/ledger-fixture.ts'
import { seeded } from '../../testing/seeded.ts'
import { LASTING } from '../books.ts'
import type { Command, Result } from '../commands.ts'
import { SLICE_IDS } from '../slice.ts'
import { isLent } from './open-store.ts'
import { createSlices } from './slices.ts'
import { type LedgerStore, LedgerUnavailable } from './store.ts'
import { createLedgerWriter } from './writer.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

type Fixture = Awaited<ReturnType<typeof ledgerFixture>>

let started = 0

/** A process on the database of the fixture, which borrows slices. */
async function startProcess(fixture: Fixture, wrap = (store: LedgerStore) => store) {
  const { app, openStore } = fixture
  const epoch = `process-${++started}`
  await app.db.insertInto('owners').values({ epoch, node: epoch, started_at: 1, closed_at: null }).execute()
  const log = createLog(() => {})
  const writer = createSlices({
    writer: createLedgerWriter(wrap(openStore()), log),
    epochs: { current: () => epoch, opened() {}, ended() {} },
    ...{ isLent: isLent(app.db), clock: app.clock, roundMs: 200 },
  })
  onTestFinished(() => writer.close())
  return {
    epoch,
    writer,
    hold: (id: string, amount: number) => writer.submit({ ...fixture.hold(id, amount), epoch }),
    settle: (id: string, actual: number) => writer.submit(settlement(fixture, id, actual)),
  }
}

const settlement = ({ settle, user, tokenId }: Fixture, id: string, actual: number) => ({
  ...settle(id, actual),
  payer: { userId: user.id, tokenId },
})

const slicesOf = ({ app }: Fixture) =>
  app.db
    .selectFrom('holds')
    .select(['id', 'amount', 'epoch'])
    .where('state', '=', 0)
    .where('id', 'like', SLICE_IDS)
    .execute()

const openHolds = ({ app }: Fixture) => app.db.selectFrom('holds').select('id').where('state', '=', 0).execute()

/** Calls until one is held in a slice; returns how many were made. */
async function makeBusy(fixture: Fixture, { hold, settle }: Awaited<ReturnType<typeof startProcess>>, amount = 10) {
  for (let number = 0; ; number++) {
    const id = `busy-${Bun.randomUUIDv7()}`
    await hold(id, amount)
    const row = await fixture.app.db.selectFrom('holds').select('id').where('id', '=', id).executeTakeFirst()
    await settle(id, 1)
    if (row === undefined) return number + 1
  }
}

async function until(isTrue: () => Promise<boolean>) {
  const deadline = Date.now() + 20_000
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('It never became true')
    await Bun.sleep(5)
  }
}

/** Ends the holds of a dead process as any other process does. */
async function sweep({ app, store }: Fixture, epoch: string) {
  await app.db.updateTable('owners').set({ closed_at: 2 }).where('epoch', '=', epoch).execute()
  const open = await app.db.selectFrom('holds').select('id').where('epoch', '=', epoch).where('state', '=', 0).execute()
  await store.run(open.map(({ id }): Command => ({ type: 'sweep', id, log: undefined, now: 3 })))
}

test('the calls of a busy account are held without asking the database, and charged exactly', async () => {
  const fixture = await ledgerFixture()
  let batches: (readonly Command[])[] = []
  const node = await startProcess(fixture, (store) => {
    const watched = watchedStore(store)
    batches = watched.batches
    return watched.store
  })
  const warmUp = await makeBusy(fixture, node)
  batches.length = 0
  const ids = Array.from({ length: 5 }, (_, number) => `call-${number}`)
  for (const id of ids) expect(await node.hold(id, 2)).toEqual({ ok: true, type: 'held', fresh: true })
  expect(batches.flat().filter(({ type }) => type === 'hold')).toEqual([])
  for (const id of ids) expect(await node.settle(id, 2)).toMatchObject({ ok: true, charged: 2 })
  expect(await fixture.app.audit()).toEqual([])
  await node.writer.close()
  expect(await fixture.account()).toEqual({
    ...{ quota: 1_000_000 - warmUp - 10, held: 0, used_quota: warmUp + 10, request_count: warmUp + 5 },
  })
  expect(await fixture.app.audit()).toEqual([])
})

test('a running call that would end waits for what an idle process has borrowed', async () => {
  const fixture = await ledgerFixture({ quota: 1000 })
  const [idle, other] = [await startProcess(fixture), await startProcess(fixture)]
  await makeBusy(fixture, idle)
  const { quota = 0 } = (await fixture.account()) ?? {}
  expect(await other.hold('stream', 10)).toMatchObject({ ok: true })
  const payer = { userId: fixture.user.id, tokenId: fixture.tokenId }
  const extend = { type: 'extend' as const, id: 'stream', payer, to: quota, now: 1 }
  expect(await other.writer.submit(extend)).toEqual({ ok: false, refusal: 'user' })
  expect(await other.writer.submit({ ...extend, isLast: true })).toMatchObject({ ok: true })
  expect(await fixture.account()).toMatchObject({ held: quota })
  expect(await other.writer.submit({ ...extend, to: quota + 1, isLast: true })).toEqual({ ok: false, refusal: 'user' })
  expect(await fixture.app.audit()).toEqual([])
})

test('an idle process gives its slice back', async () => {
  const fixture = await ledgerFixture()
  const node = await startProcess(fixture)
  await makeBusy(fixture, node)
  expect(await slicesOf(fixture)).toHaveLength(1)
  await until(async () => (await openHolds(fixture)).length === 0)
  expect(await fixture.account()).toMatchObject({ held: 0 })
})

for (const limited of [false, true]) {
  test(`of a thousand calls on three processes exactly as many are accepted as the ${limited ? 'key' : 'balance'} covers`, async () => {
    const fixture = await ledgerFixture({ quota: limited ? 1_000_000 : 3_705 })
    const limit = { unlimited_quota: limited ? 0 : 1, remain_quota: 3_705 } as const
    await fixture.app.db.updateTable('tokens').set(limit).where('id', '=', fixture.tokenId).execute()
    const nodes = await Promise.all([1, 2, 3].map(() => startProcess(fixture)))
    let accepted = 0
    const call = async (number: number) => {
      const node = nodes[number % nodes.length]
      const id = `of-thousand-${number}`
      const held = await node?.hold(id, 10)
      if (held?.ok !== true) return
      accepted++
      await node?.settle(id, 10)
    }
    // Some at once, others after one another, so that slices come and go.
    for (let number = 0; number < 1000; number += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, offset) => call(number + offset)))
    }
    expect(accepted).toBe(370)
    for (const { writer } of nodes) await writer.close()
    expect(await fixture.account()).toMatchObject({ held: 0, used_quota: 3_700 })
    expect(await fixture.app.audit()).toEqual([])
  })
}

test('what one process has borrowed and does not use is not missing for another', async () => {
  const fixture = await ledgerFixture({ quota: 10_000 })
  const idle = await startProcess(fixture)
  const spent = await makeBusy(fixture, idle, 100)
  expect(await slicesOf(fixture)).toHaveLength(1)
  const other = await startProcess(fixture)
  expect(await other.hold('all', 10_000 - spent)).toMatchObject({ ok: true })
})

test('what a process has borrowed is there for its own calls with rows, also soon after another call was refused', async () => {
  const fixture = await ledgerFixture({ quota: 10_000 })
  const node = await startProcess(fixture)
  const { user, app } = fixture
  await user.client.post('/api/token/', { name: 'other', unlimited_quota: true })
  await app.db.insertInto('owners').values({ epoch: LASTING, node: '', started_at: 0, closed_at: 0 }).execute()
  const [, other] = await app.db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', user.id)
    .orderBy('id')
    .execute()
  expect(await node.hold('too much', 10_001)).toEqual({ ok: false, refusal: 'user' })
  let spent = 0
  for (const [epoch, tokenId] of [
    [LASTING, fixture.tokenId],
    [node.epoch, other?.id ?? 0],
  ] as const) {
    await until(async () => {
      spent += await makeBusy(fixture, node, 100)
      return (await slicesOf(fixture)).length > 0
    })
    const id = `all-${epoch}`
    const all = { ...fixture.hold(id, 10_000 - spent), epoch, tokenId }
    expect(await node.writer.submit(all)).toMatchObject({ ok: true })
    await node.writer.submit({ ...settlement(fixture, id, 0), payer: { userId: user.id, tokenId } })
  }
  await node.writer.close()
  expect(await fixture.account()).toMatchObject({ held: 0 })
})

test('a process that dies gives back its slice, keeps its charges, and pays for the progress of its streams', async () => {
  const fixture = await ledgerFixture()
  const node = await startProcess(fixture)
  const charged = await makeBusy(fixture, node, 100)
  await node.hold('plain', 10)
  await node.hold('stream', 20)
  await node.writer.submit({ type: 'progress', id: 'stream', used: 7 })
  expect((await openHolds(fixture)).map(({ id }) => id)).toContain('stream')
  await sweep(fixture, node.epoch)
  expect(await openHolds(fixture)).toEqual([])
  expect(await fixture.account()).toMatchObject({ held: 0, used_quota: charged + 7 })
  expect(await fixture.app.audit()).toEqual([])

  // It was alive after all: its calls are charged what they cost, once.
  expect(await node.settle('plain', 9)).toMatchObject({ ok: true, charged: 9 })
  expect(await node.settle('stream', 15)).toMatchObject({ ok: true, charged: 15 })
  expect(await fixture.account()).toMatchObject({ held: 0, used_quota: charged + 24 })
  expect(await fixture.app.audit()).toEqual([])
})

test('a hold in a slice grows, first in the slice and then beyond it, as far as the balance goes', async () => {
  const fixture = await ledgerFixture({ quota: 10_000 })
  const node = await startProcess(fixture)
  const spent = await makeBusy(fixture, node, 10)
  const payer = { userId: fixture.user.id, tokenId: fixture.tokenId }
  await node.hold('grows', 10)
  for (const to of [12, 500, 9_000, 10_000 - spent]) {
    expect(await node.writer.submit({ type: 'extend', id: 'grows', to, now: 1, payer })).toMatchObject({ ok: true })
  }
  const beyond = await node.writer.submit({ type: 'extend', id: 'grows', to: 10_001 - spent, now: 1, payer })
  expect(beyond).toEqual({ ok: false, refusal: 'user' })
  await node.settle('grows', 10_000 - spent)
  await node.writer.close()
  expect(await fixture.account()).toMatchObject({ quota: 0, held: 0 })
  expect(await fixture.app.audit()).toEqual([])
})

test('streams of a slice get their rows together, and none waits for the others', async () => {
  const fixture = await ledgerFixture()
  let watched: ReturnType<typeof watchedStore> | undefined
  const node = await startProcess(fixture, (store) => {
    watched = watchedStore(store)
    return watched.store
  })
  await makeBusy(fixture, node, 100)
  const ids = Array.from({ length: 40 }, (_, number) => `stream-${number}`)
  for (const id of ids) expect(await node.hold(id, 1)).toMatchObject({ ok: true })
  const sliced = node.writer.calls()
  expect(sliced).toBeGreaterThan(1)
  watched?.batches.splice(0)
  watched?.shut()
  const noted = ids.map((id) => node.writer.submit({ type: 'progress', id, used: 1 }))
  watched?.open()
  await Promise.all(noted)
  const moving = watched?.batches.filter((batch) => batch.some(({ type }) => type === 'hold')) ?? []
  expect(moving.map((batch) => batch.filter(({ type }) => type === 'hold').length)).toEqual([sliced])
  expect(node.writer.calls()).toBe(0)
  await Promise.all(ids.map((id) => node.settle(id, 1)))
  await node.writer.close()
  expect(await fixture.account()).toMatchObject({ held: 0 })
  expect(await fixture.app.audit()).toEqual([])
})

test('a hold whose row was written although nobody knows keeps its amount, and grows there', async () => {
  const fixture = await ledgerFixture()
  let isLost = false
  const node = await startProcess(fixture, (store) => ({
    async run(commands) {
      const results = await store.run(commands)
      const loses = isLost && commands.some(({ id }) => id === 'stream')
      isLost &&= !loses
      if (loses) throw new LedgerUnavailable('lost')
      return results
    },
    close: () => store.close(),
  }))
  await makeBusy(fixture, node, 100)
  await node.hold('stream', 10)
  expect(node.writer.calls()).toBe(1)
  isLost = true
  await expect(node.writer.submit({ type: 'progress', id: 'stream', used: 5 })).rejects.toThrow('lost')
  expect(await node.writer.submit({ type: 'extend', id: 'stream', to: 20, now: 1 })).toMatchObject({ ok: true })
  await node.writer.submit({ type: 'progress', id: 'stream', used: 15 })
  const row = await fixture.app.db
    .selectFrom('holds')
    .select(['amount', 'progress'])
    .where('id', '=', 'stream')
    .execute()
  expect(row).toEqual([{ amount: 20, progress: 15 }])
  await node.settle('stream', 20)
  await node.writer.close()
  expect(await fixture.account()).toMatchObject({ held: 0 })
  expect(await fixture.app.audit()).toEqual([])
})

test('a key that is disabled or limited meanwhile loses its slice', async () => {
  const fixture = await ledgerFixture()
  const node = await startProcess(fixture)
  for (const change of [{ status: 2 }, { unlimited_quota: 0, remain_quota: 1 }] as const) {
    await makeBusy(fixture, node)
    await fixture.app.db.updateTable('tokens').set(change).where('id', '=', fixture.tokenId).execute()
    let number = 0
    const refused = async () => {
      const id = `after-${change.unlimited_quota}-${++number}`
      const result = await node.hold(id, 2)
      if (result.ok) await node.settle(id, 0)
      return !result.ok
    }
    await until(refused)
    const usual = { status: 1, unlimited_quota: 1 } as const
    await fixture.app.db.updateTable('tokens').set(usual).where('id', '=', fixture.tokenId).execute()
  }
  expect(await fixture.app.audit()).toEqual([])
})

test('a settlement whose answer is lost is charged once, and the row of a failed call is written once', async () => {
  const fixture = await ledgerFixture()
  const faults: ('before' | 'after' | undefined)[] = []
  const node = await startProcess(fixture, (store) => ({
    async run(commands) {
      const fault = commands.some(({ type }) => type === 'settle') ? faults.shift() : undefined
      if (fault === 'before') throw new LedgerUnavailable('lost')
      const results = await store.run(commands)
      if (fault === 'after') throw new LedgerUnavailable('lost')
      return results
    },
    close: () => store.close(),
  }))
  const settleAgain = async (id: string, end: Partial<Command>) => {
    faults.push('before', 'after', 'after')
    const log = callLog({ user_id: fixture.user.id, request_id: id, quota: 0 })
    const command = { ...settlement(fixture, id, 0), ...end, log, keepLog: true } as Command
    for (;;) {
      const result = await node.writer.submit(command).catch(() => undefined)
      if (result !== undefined) return result
    }
  }
  const spent = await makeBusy(fixture, node, 100)
  await node.hold('answered', 10)
  await node.hold('failed', 10)
  expect(await settleAgain('answered', { actual: 5 })).toMatchObject({ ok: true, charged: 5 })
  expect(await settleAgain('failed', { done: false })).toMatchObject({ ok: true, charged: 0 })
  const logged = await fixture.app.db.selectFrom('logs').select('request_id').where('type', '=', 2).execute()
  expect(logged.map(({ request_id }) => request_id).sort()).toEqual(['answered', 'failed'])
  await node.writer.close()
  expect(await fixture.account()).toMatchObject({ held: 0, used_quota: spent + 5 })
  expect(await fixture.app.audit()).toEqual([])
})

/*
 * Processes with slices that lose answers, die, and are swept while they live, over one balance: whatever the order, every confirmed charge
 * is in the ledger once, nothing else is, nothing stays held, and the balance is never exceeded.
 */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_118)
for (let world = 0; world < 6; world++) {
  test(`processes that borrow, lose answers and die lose no charge and promise no balance twice (seed ${SEED + world})`, async () => {
    const random = seeded(SEED + world)
    const fixture = await ledgerFixture({ quota: 12_000 })
    const limited = world % 2 === 0
    const limit = { unlimited_quota: limited ? 0 : 1, remain_quota: 12_000 } as const
    await fixture.app.db.updateTable('tokens').set(limit).where('id', '=', fixture.tokenId).execute()
    const confirmed = new Map<string, number>()
    const unsure = new Map<string, number>()
    const dead: string[] = []
    let calls = 0
    let inSlices = 0
    /** The last processes go on until the balance is spent. */
    let refused = 0

    const runProcess = async (isMortal: boolean) => {
      let isDead = false
      const node = await startProcess(fixture, (store) => ({
        async run(commands) {
          if (isDead) throw new LedgerUnavailable('dead')
          inSlices += commands.filter((command) => command.type === 'settle' && command.inSlice).length
          const fate = random(100)
          if (isMortal && fate < 2) isDead = true
          if (fate < 6) throw new LedgerUnavailable('lost before')
          const results = await store.run(commands)
          if (fate < 12) throw new LedgerUnavailable('lost after')
          return results
        },
        close: () => store.close(),
      }))
      const insist = async (command: Command): Promise<Result | undefined> => {
        while (!isDead) {
          const result = await node.writer.submit(command).catch(() => undefined)
          if (result !== undefined) return result
        }
        return undefined
      }
      const call = async () => {
        const id = `call-${SEED + world}-${++calls}`
        const amount = random(100)
        const command = { ...fixture.hold(id, amount), epoch: node.epoch }
        const held = await node.writer.submit(command).catch(() => undefined)
        if (held?.ok === false) refused++
        // Nobody knows whether it is held: it is given back, and the call refused.
        if (held === undefined) await insist({ ...settlement(fixture, id, 0), payer: undefined, done: false })
        if (held?.ok !== true) return
        if (random(10) === 0) await insist({ type: 'extend', id, to: amount + random(30), now: 1 })
        if (random(10) === 0)
          void node.writer.submit({ type: 'progress', id, used: random(amount + 1) }).catch(() => {})
        const actual = random(amount + 1)
        unsure.set(id, actual)
        const settled = await insist(settlement(fixture, id, actual))
        if (settled === undefined) return
        unsure.delete(id)
        confirmed.set(id, settled.ok && settled.type === 'settled' ? settled.charged : Number.NaN)
        expect(confirmed.get(id)).toBe(actual)
      }
      for (let burst = 0; (burst < 25 || (!isMortal && refused === 0)) && !isDead; burst++) {
        await Promise.all(Array.from({ length: 1 + random(12) }, call))
        if (isMortal) continue
        for (const epoch of dead) await sweep(fixture, epoch)
        // Presumed dead while it lives: another process takes its holds.
        if (random(40) === 0) await sweepAndRevive(node.epoch)
      }
      if (!isDead) await node.writer.close()
      dead.push(node.epoch)
    }
    const sweepAndRevive = async (epoch: string) => {
      await sweep(fixture, epoch)
      await fixture.app.db.updateTable('owners').set({ closed_at: null }).where('epoch', '=', epoch).execute()
    }

    await Promise.all([runProcess(true), runProcess(true), runProcess(true), runProcess(false), runProcess(false)])
    for (const epoch of dead) await sweep(fixture, epoch)

    expect(await openHolds(fixture)).toEqual([])
    expect(await fixture.app.audit()).toEqual([])
    const { db } = fixture.app
    const entries = await db
      .selectFrom('ledger')
      .select(['ref', 'delta', 'kind'])
      .where('kind', 'in', ['consume', 'late'])
      .execute()
    const chargedOf = (id: string) =>
      0 - entries.filter(({ ref }) => ref === id).reduce((sum, { delta }) => sum + delta, 0)
    for (const [id, actual] of confirmed) expect({ id, charged: chargedOf(id) }).toEqual({ id, charged: actual })
    expect(
      entries.filter(({ ref }) => entries.filter((other) => other.ref === ref && other.kind === 'consume').length > 1),
    ).toEqual([])
    const { quota, held } = await fixture.account()
    expect(held).toBe(0)
    expect(quota).toBeGreaterThanOrEqual(0)
    expect(confirmed.size).toBeGreaterThan(100)
    expect(inSlices).toBeGreaterThan(0)
    expect(dead.length).toBe(5)
  })
}
