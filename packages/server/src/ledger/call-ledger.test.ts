import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayError } from '../common/errors.ts'
import { createLog } from '../common/log.ts'
import { callLog, ledgerFixture } from '../testing/ledger-fixture.ts'
import { createCallLedger, HoldMissing } from './call-ledger.ts'
import { createJournal } from './stores/journal.ts'
import { type LedgerStore, LedgerUnavailable } from './stores/store.ts'
import { createLedgerWriter } from './stores/writer.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/** The real store behind a connection that fails: each batch is lost before it ran, or its answer after it ran. */
function unreliable(store: LedgerStore, faults: ('before' | 'after')[]): LedgerStore {
  return {
    async run(commands) {
      const fault = faults.shift()
      if (fault === 'before') throw new LedgerUnavailable('lost')
      const results = await store.run(commands)
      if (fault === 'after') throw new LedgerUnavailable('lost')
      return results
    },
    close: () => store.close(),
  }
}

async function callFixture(faults: ('before' | 'after')[]) {
  const fixture = await ledgerFixture()
  const { epoch } = fixture.hold('', 0)
  const log = createLog(() => {})
  const writer = createLedgerWriter(unreliable(fixture.store, faults), log)
  const epochs = {
    ...{ current: () => epoch, renew: async () => {}, lasting: async () => epoch },
    opened() {},
    ended() {},
  }
  const ledger = createCallLedger({
    ...{ writer, epochs, journal: createJournal(fixture.app.dataDir, log), clock: { now: () => 5000 }, log },
    amountText: (quota) => ({ zh: `${quota}`, en: `${quota}` }),
  })
  const payer = { userId: fixture.user.id, tokenId: fixture.tokenId }
  return { ...fixture, ledger, payer }
}

const END = { actual: 4, done: true, channelId: null, keepLog: true, log: callLog() }

test('a hold whose answer was lost is refused, and what it held is released', async () => {
  const lost = await callFixture(['after', 'before', 'after'])
  const refusal = await lost.ledger.hold(lost.payer, 'a', 10, '{}').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(GatewayError)
  expect(refusal).toMatchObject({ code: 'server.unavailable' })
  await untilFree(lost)
  expect(await lost.account()).toEqual({ quota: 1_000_000, held: 0, used_quota: 0, request_count: 0 })
  expect(await lost.app.audit()).toEqual([])
})

test('a settlement whose answers are lost is charged once', async () => {
  const faults: ('before' | 'after')[] = []
  const { ledger, payer, account, app } = await callFixture(faults)
  const hold = await ledger.hold(payer, 'a', 10, '{}')
  faults.push('before', 'after', 'before')
  expect(await hold.settle(END)).toMatchObject({ charged: 4 })
  expect(await account()).toEqual({ quota: 999_996, held: 0, used_quota: 4, request_count: 1 })
  expect(await app.audit()).toEqual([])
})

test('an answered call whose hold the database has lost is charged all the same, once', async () => {
  const { ledger, payer, app, account } = await callFixture([])
  const [answered, failed] = [await ledger.hold(payer, 'a', 10, '{}'), await ledger.hold(payer, 'b', 10, '{}')]
  await app.db.deleteFrom('holds').execute()
  await app.db.updateTable('users').set({ held: 0 }).execute()
  expect(await failed.settle({ ...END, actual: 0, done: false })).toMatchObject({ charged: 0 })
  expect(await answered.settle(END)).toMatchObject({ charged: 4 })
  expect(await answered.settle(END)).toMatchObject({ charged: 4 })
  expect(await account()).toEqual({ quota: 999_996, held: 0, used_quota: 4, request_count: 1 })
  expect(await app.audit()).toEqual([])
})

test('a hold that was never created cannot be settled, and fails instead of being retried forever', async () => {
  const { ledger } = await callFixture([])
  expect(
    await ledger
      .lasting('a', 10)
      .settle(END)
      .catch((error: unknown) => error),
  ).toBeInstanceOf(HoldMissing)
})

test('a call whose hold was swept continues: it may grow, and its settlement corrects the charge', async () => {
  const { ledger, payer, store, account, app } = await callFixture([])
  const hold = await ledger.hold(payer, 'a', 10, '{}')
  await store.run([
    { type: 'progress', id: 'a', used: 3 },
    { type: 'sweep', id: 'a', log: undefined, now: 6 },
  ])
  expect(await hold.extend(50)).toBe(true)
  expect(hold.amount()).toBe(50)
  expect(await hold.settle({ ...END, actual: 20 })).toMatchObject({ charged: 20 })
  expect(await account()).toEqual({ quota: 999_980, held: 0, used_quota: 20, request_count: 1 })
  expect(await app.audit()).toEqual([])
})

test('refusals by the balance, the key and the account have different answers', async () => {
  const { ledger, payer, app, user, tokenId } = await callFixture([])
  const refusal = (amount: number) =>
    ledger.hold(payer, Bun.randomUUIDv7(), amount, '{}').catch((error: GatewayError) => error.code)
  expect(await refusal(1_000_001)).toBe('quota.user')
  await app.db.updateTable('tokens').set({ unlimited_quota: 0, remain_quota: 5 }).where('id', '=', tokenId).execute()
  expect(await refusal(6)).toBe('quota.token')
  await app.db.updateTable('users').set({ status: 2 }).where('id', '=', user.id).execute()
  expect(await refusal(1)).toBe('relay.key_disabled')
})

async function untilFree({ app }: Awaited<ReturnType<typeof callFixture>>) {
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    const open = await app.db.selectFrom('holds').select('id').where('state', '=', 0).execute()
    if (open.length === 0) return
    await Bun.sleep(20)
  }
  throw new Error('The hold was not given back')
}

test('the release of a hold that nobody sweeps, or that a sweep would charge, is in the journal before it is confirmed', async () => {
  const faults: ('before' | 'after')[] = []
  const fixture = await callFixture(faults)
  const { ledger, payer, account, app } = fixture
  const journals = () => readdirSync(app.dataDir).filter((name) => name.endsWith('.jsonl'))
  const nothing = { ...END, actual: 0, done: false }
  await ledger.holdLasting(payer, 'batch', 10, '{}')
  const video = await ledger.holdLasting(payer, 'video', 10, '{}')
  const call = await ledger.hold(payer, 'call', 10, '{}')
  const stream = await ledger.hold(payer, 'stream', 10, '{}')
  await stream.progress(3)
  faults.push(...Array(200).fill('before'))
  await call.settle(nothing)
  expect(journals()).toEqual([])
  await ledger.lasting('batch', 10).settle(nothing)
  expect(journals()).toHaveLength(1)
  const [journal = ''] = journals()
  const kept = () => readFileSync(join(app.dataDir, journal), 'utf8')
  expect(kept()).not.toMatch(/"(video|stream)"/)
  await stream.settle(nothing)
  expect(kept()).toContain('"stream"')
  await video.settle(nothing)
  expect(kept()).toContain('"video"')
  faults.splice(0)
  const deadline = Date.now() + 10_000
  while (journals().length > 0 && Date.now() < deadline) await Bun.sleep(20)
  await untilFree(fixture)
  expect([journals(), (await account()).held, await app.audit()]).toEqual([[], 0, []])
})
