import { expect, test } from 'bun:test'
import { DAY } from '../common/time-units.ts'
import { ledgerFixture } from '../testing/ledger-fixture.ts'
import { makeAdmin } from '../testing/makers.ts'
import { makeCode } from '../testing/redemption-makers.ts'
import { compactLedger } from './stores/compaction.ts'
import { removeClosedHolds } from './stores/retention.ts'

const at = (time: string) => Date.parse(time) / 1000

type Fixture = Awaited<ReturnType<typeof ledgerFixture>>

/** A call that cost something, at a given time, on a channel or none. */
async function called({ store, hold, settle }: Fixture, id: string, time: number, channelId: number | null = null) {
  await store.run([{ ...hold(id, 100), now: time }])
  await store.run([{ ...settle(id, 10), now: time, channelId }])
}

/** Calls whose process died. */
async function swept({ store, hold }: Fixture, ids: readonly string[], now: number) {
  await store.run(ids.map((id) => ({ ...hold(id, 1), now })))
  await store.run(ids.map((id) => ({ type: 'sweep', id, log: undefined, now })))
}

/** A user who has been there for long. */
async function oldFixture(overrides: { quota?: number } = {}) {
  const fixture = await ledgerFixture(overrides)
  await fixture.app.db
    .updateTable('ledger')
    .set({ ts: at('2026-01-01T00:00:00Z') })
    .execute()
  return fixture
}

const holdsOf = async ({ app }: Fixture) =>
  (await app.db.selectFrom('holds').select('id').orderBy('id').execute()).map(({ id }) => id)

const ledgerOf = ({ app, user }: Fixture) =>
  app.db
    .selectFrom('ledger')
    .select(['kind', 'delta', 'balance', 'calls', 'channel_id'])
    .where('user_id', '=', user.id)
    .where('kind', '<>', 'bonus')
    .orderBy('id')
    .execute()

test('a settled hold is gone at once, a swept one is kept for 72 hours, an open one for as long as it is open', async () => {
  const fixture = await ledgerFixture()
  const { app, store, hold } = fixture
  const now = Math.floor(app.clock.now() / 1000)
  await called(fixture, 'settled', now)
  await swept(fixture, ['old'], now - 3 * DAY - 1)
  await swept(fixture, ['young'], now - 3 * DAY)
  await store.run([{ ...hold('open', 5), now: now - 1200 }])
  expect(await holdsOf(fixture)).toEqual(['old', 'open', 'young'])
  expect(await removeClosedHolds(app.db, now)).toBe(1)
  expect(await holdsOf(fixture)).toEqual(['open', 'young'])
  expect(await app.audit()).toEqual([])
  expect(await removeClosedHolds(app.db, now)).toBe(0)
})

test('more swept holds than go at once go all the same', async () => {
  const fixture = await ledgerFixture()
  const { app } = fixture
  const ids = Array.from({ length: 1100 }, (_, n) => `h${n}`)
  await swept(fixture, ids, 100)
  const now = Math.floor(app.clock.now() / 1000)
  expect(await removeClosedHolds(app.db, now)).toBe(1100)
  expect(await app.audit()).toEqual([])
}, 30_000)

test('calls of months before the last become checkpoints; sums, counts and balances stay, and the ledger adds up', async () => {
  const fixture = await oldFixture({ quota: 10_000 })
  const { app, user } = fixture
  const { client: admin } = await makeAdmin(app)
  const { data: channels } = await admin.post('/api/channel/', { name: 'c', type: 1, key: 'sk-some-key', models: 'm' })
  const channel = Number(channels[0].id)
  for (const [index, time] of ['2026-08-05', '2026-08-20', '2026-08-31', '2026-09-01', '2026-09-30'].entries()) {
    await called(fixture, `a${index}`, at(`${time}T12:00:00Z`), index % 2 === 0 ? channel : null)
  }
  const code = await makeCode(admin, { quota: 7 })
  await user.client.post('/api/user/topup', { key: code.key })
  const month = { ts: at('2026-09-30T12:00:01Z') }
  await app.db.updateTable('ledger').set(month).where('kind', '=', 'redeem').execute()
  await called(fixture, 'b0', at('2026-09-30T13:00:00Z'))
  await called(fixture, 'b1', at('2026-09-30T23:59:59Z'))
  await called(fixture, 'c0', at('2026-10-01T00:00:00Z'))
  await called(fixture, 'c1', at('2026-11-02T00:00:00Z'))
  const now = at('2026-11-15T00:00:00Z')
  app.clock.pass(now - Math.floor(app.clock.now() / 1000))
  await removeClosedHolds(app.db, now)
  expect(await app.audit()).toEqual([])
  const account = await fixture.account()

  // August: two tokens' channels in three rows; September until the code: two rows of two kinds, nothing to gain.
  expect(await compactLedger(app.db, now)).toBe(2)
  expect(await app.audit()).toEqual([])
  expect(await fixture.account()).toEqual(account)
  const call = { delta: -10, calls: 0, channel_id: null }
  expect((await ledgerOf(fixture)).filter(({ kind }) => kind !== 'opening' && kind !== 'admin')).toEqual([
    { kind: 'checkpoint', delta: -20, balance: 9980, calls: 2, channel_id: channel },
    { kind: 'checkpoint', delta: -10, balance: 9970, calls: 1, channel_id: null },
    { ...call, kind: 'consume', balance: 9960 },
    { ...call, kind: 'consume', balance: 9950, channel_id: channel },
    { kind: 'redeem', delta: 7, balance: 9957, calls: 0, channel_id: null },
    { kind: 'checkpoint', delta: -20, balance: 9937, calls: 2, channel_id: null },
    { ...call, kind: 'consume', balance: 9927 },
    { ...call, kind: 'consume', balance: 9917 },
  ])
  expect(await compactLedger(app.db, now)).toBe(0)
})

test('very many calls become few rows, over several runs if needed, and the next month follows', async () => {
  const fixture = await oldFixture()
  const { app, store, hold, settle } = fixture
  for (const time of [at('2026-08-10T00:00:00Z'), at('2026-09-10T00:00:00Z')]) {
    const ids = Array.from({ length: 1300 }, (_, n) => `${time}-${n}`)
    await store.run(ids.map((id) => ({ ...hold(id, 1), now: time })))
    await store.run(ids.map((id) => ({ ...settle(id, 1), now: time + 1 })))
  }
  const compacted = async (time: string) => {
    app.clock.pass(at(time) - Math.floor(app.clock.now() / 1000))
    await removeClosedHolds(app.db, at(time))
    const removed = await compactLedger(app.db, at(time))
    expect(await app.audit()).toEqual([])
    return removed
  }
  expect(await compacted('2026-10-31T23:59:59Z')).toBeGreaterThan(1295)
  expect(await compacted('2026-10-31T23:59:59Z')).toBe(0)
  expect(await compacted('2026-11-01T00:00:00Z')).toBeGreaterThan(1295)
  const { request_count, used_quota } = await fixture.account()
  expect({ request_count, used_quota }).toEqual({ request_count: 2600, used_quota: 2600 })
  expect((await ledgerOf(fixture)).length).toBeLessThan(12)
}, 30_000)
