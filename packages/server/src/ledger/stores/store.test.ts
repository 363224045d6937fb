import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { engine } from '../../testing/database.ts'
import { callLog, ledgerFixture } from '../../testing/ledger-fixture.ts'
import { upToDateFigures } from '../up-to-date-figures.ts'
import { createSqliteStore } from './sqlite-store.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* The state of rules and store, read from the database. */

type Fixture = Awaited<ReturnType<typeof ledgerFixture>>

const keyOf = ({ app, tokenId }: Fixture) =>
  app.db
    .selectFrom('tokens')
    .select(['status', 'remain_quota', 'held', 'used_quota', 'accessed_time'])
    .where('id', '=', tokenId)
    .executeTakeFirstOrThrow()

const limitKey = ({ app, tokenId }: Fixture, remain_quota: number) =>
  app.db.updateTable('tokens').set({ unlimited_quota: 0, remain_quota }).where('id', '=', tokenId).execute()

const sweep = (id: string) => ({ type: 'sweep', id, log: callLog({ request_id: id }), now: 9 }) as const
const progress = (id: string, used: number) => ({ type: 'progress', id, used }) as const

test('a repeated hold is the same hold; with another amount or key it is refused', async () => {
  const { store, hold, account } = await ledgerFixture()
  await store.run([hold('a', 100)])
  expect(await store.run([hold('a', 100)])).toEqual([{ ok: true, type: 'held', fresh: false }])
  const other = [hold('a', 101), { ...hold('a', 100), tokenId: 1 }, { ...hold('a', 100), userId: 1 }]
  expect(await store.run(other)).toEqual(Array(3).fill({ ok: false, refusal: 'conflict' }))
  expect(await account()).toMatchObject({ held: 100 })
})

test('a settled hold is gone, its charge says when and through which channel it ended, and its key when it was last used', async () => {
  const fixture = await ledgerFixture()
  const { app, store, hold, settle } = fixture
  await store.run([hold('a', 100)])
  await store.run([{ ...settle('a', 30), channelId: 7, now: 123 }])
  expect(await app.db.selectFrom('holds').selectAll().execute()).toEqual([])
  const charge = await app.db.selectFrom('ledger').selectAll().where('ref', '=', 'a').executeTakeFirst()
  expect(charge).toMatchObject({ kind: 'consume', delta: -30, channel_id: 7, ts: 123 })
  expect(await keyOf(fixture)).toMatchObject({ accessed_time: 123, used_quota: 30 })
})

test('any characters of a call are logged unchanged, each call of a batch with its own', async () => {
  const { app, store, hold, settle } = await ledgerFixture()
  const texts = [
    'NULL',
    '',
    '{a,b}',
    'say "so"',
    'C:\\path\\',
    '\\"',
    "it's",
    'two\nlines',
    '$1',
    '模型 🙂',
    ' edges ',
    '\\N',
    '{}',
  ]
  const ids = texts.map((_, number) => `call-${number}`)
  await store.run(ids.map((id) => hold(id, 100)))
  const logs = texts.map((text, number) =>
    callLog({ request_id: ids[number] ?? '', model_name: text, content: text, detail: JSON.stringify({ text }) }),
  )
  await store.run(ids.map((id, number) => ({ ...settle(id, 5), log: logs[number], keepLog: true })))
  const rows = await app.db
    .selectFrom('logs')
    .select(['request_id', 'model_name', 'content', 'detail'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual(
    texts.map((text, number) => ({
      request_id: ids[number] ?? '',
      model_name: text,
      content: text,
      detail: JSON.stringify({ text }),
    })),
  )
})

test('progress that arrives out of order never decreases', async () => {
  const { store, hold, account } = await ledgerFixture()
  await store.run([hold('a', 100)])
  for (const used of [10, 40, 20]) await store.run([progress('a', used)])
  await store.run([sweep('a')])
  expect(await account()).toMatchObject({ used_quota: 40, held: 0 })
})

test('a late settlement beyond the balance is a recorded overrun', async () => {
  const { app, store, hold, settle, user } = await ledgerFixture({ quota: 100 })
  await store.run([hold('a', 60)])
  await store.run([progress('a', 10)])
  await store.run([sweep('a')])
  await store.run([settle('a', 150)])
  const row = await app.db.selectFrom('users').select(['quota', 'overrun']).where('id', '=', user.id).executeTakeFirst()
  expect(row).toEqual({ quota: -50, overrun: 50 })
  expect(await app.audit()).toEqual([])
})

test('a key that a sweep exhausted is enabled again when the settlement is lower', async () => {
  const fixture = await ledgerFixture()
  const { app, store, hold, settle } = fixture
  await limitKey(fixture, 50)
  await store.run([hold('a', 50)])
  await store.run([progress('a', 50)])
  await store.run([sweep('a')])
  expect(await keyOf(fixture)).toMatchObject({ status: 4, remain_quota: 0 })
  await store.run([settle('a', 20)])
  expect(await keyOf(fixture)).toMatchObject({ status: 1, remain_quota: 30, used_quota: 20, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('a hold that was made while its key was unlimited grows by the balance alone', async () => {
  const fixture = await ledgerFixture()
  const { app, store, hold, settle } = fixture
  await store.run([hold('a', 10)])
  await limitKey(fixture, 5)
  expect(await store.run([{ type: 'extend', id: 'a', to: 500, now: 1 }])).toMatchObject([{ ok: true }])
  await store.run([settle('a', 400)])
  expect(await keyOf(fixture)).toMatchObject({ remain_quota: 5, held: 0, used_quota: 400 })
  expect(await app.audit()).toEqual([])
})

test('a deleted key holds nothing, whatever its status', async () => {
  const { app, store, hold, tokenId } = await ledgerFixture()
  await app.db.updateTable('tokens').set({ deleted_at: 5 }).where('id', '=', tokenId).execute()
  expect(await store.run([hold('a', 1)])).toEqual([{ ok: false, refusal: 'disabled' }])
})

test('log and figures match the postings: the recovered part, the rest of it, and nothing of a failed call', async () => {
  const { app, store, hold, settle } = await ledgerFixture()
  await store.run([hold('a', 100), hold('b', 100)])
  await store.run([progress('a', 30)])
  await store.run([sweep('a')])
  // Both report 4, an estimate from before the charge was known.
  const end = (id: string, actual: number) => ({
    ...settle(id, actual),
    keepLog: true,
    log: callLog({ request_id: id }),
  })
  await store.run([end('a', 50)])
  await store.run([{ ...end('b', 0), done: false, log: callLog({ request_id: 'b', type: 6 }) }])
  const logs = await app.db
    .selectFrom('logs')
    .select(['request_id', 'quota'])
    .where('request_id', '<>', '')
    .orderBy('id')
    .execute()
  expect(logs).toEqual([
    { request_id: 'a', quota: 30 },
    { request_id: 'a', quota: 20 },
    { request_id: 'b', quota: 0 },
  ])
  const hours = await (await upToDateFigures(app.db))
    .selectFrom('usage_hours')
    .select(['request_count', 'quota'])
    .execute()
  expect(hours).toEqual([{ request_count: 1, quota: 50 }])
})

if (engine === 'sqlite') {
  test('a charge is confirmed when it is on disk, not before, and not at all if the disk refuses; a hold does not wait', async () => {
    const { app, hold, settle, account } = await ledgerFixture()
    let disk = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const store = createSqliteStore(app.location, () => {
      asked.resolve()
      return disk.promise
    })
    onTestFinished(() => store.close())
    await store.run([hold('a', 10), progress('a', 1)])
    await store.run([hold('b', 10), { type: 'extend', id: 'a', to: 20, now: 1 }])
    expect(await account()).toMatchObject({ held: 30 })

    let answered = false
    const first = store.run([settle('a', 7), hold('c', 10)]).then(() => {
      answered = true
    })
    await asked.promise
    await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toBe(false)
    expect(await account()).toMatchObject({ held: 20, used_quota: 7 })
    disk.resolve()
    await first

    disk = Promise.withResolvers()
    disk.reject(Object.assign(new Error('no disk'), { code: 'EIO' }))
    await expect(store.run([sweep('b')])).rejects.toThrow('no disk')
  })
}
