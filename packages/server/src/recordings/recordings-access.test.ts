import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { Role } from '@tollgate/contract'
import { DAY } from '../common/time-units.ts'
import type { Client } from '../testing/client.ts'
import { makeAdmin, makeUser, setOptions } from '../testing/makers.ts'
import { recordingFixture, requestIdOf } from '../testing/recording-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const NOT_THERE = '没有这次调用的记录内容'

const look = (client: Client, id: string) => client.get(`/api/log/recording/${id}`)

async function recorded(overrides: Parameters<typeof recordingFixture>[0] = {}) {
  const fixture = await recordingFixture(overrides)
  await fixture.channel('gpt-4o-mini')
  const response = await fixture.chat('gpt-4o-mini')
  await response.text()
  await fixture.app.parts.recorder.flush()
  return { ...fixture, id: requestIdOf(response) }
}

test("another user's recording, and one that never existed, are refused with the same message", async () => {
  const { app, payer, id } = await recorded()
  const other = await makeUser(app)
  const never = Bun.randomUUIDv7()
  expect((await payer.client.get(`/api/log/self/recording/${id}`)).success).toBe(true)
  const foreign = await other.client.get(`/api/log/self/recording/${id}`)
  const missing = await other.client.get(`/api/log/self/recording/${never}`)
  expect(foreign.body).toEqual(missing.body)
  expect(foreign).toMatchObject({ success: false, message: NOT_THERE })
  expect((await look(other.client, id)).success).toBe(false)
})

test('an administrator who reads leaves an entry in the audit log; the owner leaves none', async () => {
  const { app, payer, id, tokenId } = await recorded()
  const admin = await makeAdmin(app)
  const entries = async () => (await admin.client.get(`/api/audit?target=recording:${id}`)).data
  await payer.client.get(`/api/log/self/recording/${id}`)
  expect(await entries()).toEqual([])
  const { data } = await look(admin.client, id)
  expect(data.request).toContain('Hello there')
  expect(await entries()).toMatchObject([
    { action: 'recording.read', actor_name: admin.username, after: { user_id: payer.id, token_id: tokenId } },
  ])
  expect((await look(admin.client, Bun.randomUUIDv7())).message).toBe(NOT_THERE)
  expect(await entries()).toHaveLength(1)
})

test('administrators see recordings of users, not of each other or of root, who sees all of them', async () => {
  const { app, root, payer, id } = await recorded()
  const admin = await makeAdmin(app)
  const ownedBy = (role: number) => app.db.updateTable('users').set({ role }).where('id', '=', payer.id).execute()
  const seen: Record<number, unknown> = {}
  for (const role of [Role.user, Role.admin, Role.root]) {
    await ownedBy(role)
    seen[role] = [(await look(admin.client, id)).success, (await look(root, id)).success]
  }
  expect(seen).toEqual({ [Role.user]: [true, true], [Role.admin]: [false, true], [Role.root]: [false, true] })
  expect((await look(admin.client, id)).message).toBe('只能查看级别更低的用户的记录内容')
  // Only what was shown: once to the administrator, and three times to root.
  expect((await root.get(`/api/audit?target=recording:${id}`)).data).toHaveLength(4)
})

test("an administrator cannot see others' recordings while recording is disabled, and owners keep theirs", async () => {
  const { app, payer, id } = await recorded()
  const admin = await makeAdmin(app)
  await setOptions(app, { RecordingEnabled: 'false' })
  expect((await look(admin.client, id)).success).toBe(false)
  expect((await admin.client.get(`/api/audit?target=recording:${id}`)).data).toEqual([])
  expect((await payer.client.get(`/api/log/self/recording/${id}`)).success).toBe(true)
})

test('a recording is kept for its retention period and no longer', async () => {
  const { app, payer, id, rows } = await recorded({ settings: { days: 30 }, options: { RecordingDaysMax: '2' } })
  app.clock.pass(2 * DAY - 60)
  await housekeeping(app)
  expect((await payer.client.get(`/api/log/self/recording/${id}`)).success).toBe(true)
  app.clock.pass(120)
  expect((await payer.client.get(`/api/log/self/recording/${id}`)).message).toBe(NOT_THERE)
  await housekeeping(app)
  expect(await rows()).toEqual([])
})

test('a recording is deleted when the log is cleared, and when its log entry expires', async () => {
  const cleared = await recorded()
  cleared.app.clock.pass(10)
  await cleared.root.delete(`/api/log/?target_timestamp=${Math.floor(cleared.app.clock.now() / 1000)}`)
  expect(await cleared.rows()).toEqual([])
  expect(await cleared.logs()).toEqual([])

  const old = await recorded({ settings: { days: 300 }, options: { LogRetentionDays: '1', RecordingDaysMax: '300' } })
  old.app.clock.pass(DAY + 60)
  await old.app.parts.jobs.find(({ name }) => name === 'log retention')?.run()
  expect(await old.rows()).toEqual([])
})

test('a recording is deleted with its key', async () => {
  const { payer, tokenId, rows } = await recorded()
  await payer.client.delete(`/api/token/${tokenId}`)
  expect(await rows()).toEqual([])
})

test('an owner who turns recording off keeps what was recorded, or deletes it; another owner cannot', async () => {
  const { app, payer, tokenId, rows } = await recorded()
  const other = await makeUser(app)
  await payer.client.put('/api/token/', { id: tokenId, recording: null })
  expect(await rows()).toHaveLength(1)
  const foreign = await other.client.put('/api/token/', { id: tokenId, recording: null, delete_recordings: true })
  expect(foreign.success).toBe(false)
  expect(await rows()).toHaveLength(1)
  await payer.client.put('/api/token/', { id: tokenId, recording: null, delete_recordings: true })
  expect(await rows()).toEqual([])
})

test('a recording is deleted with its owner, whoever deletes the account', async () => {
  const left = await recorded()
  await left.payer.client.delete('/api/user/self')
  expect(await left.rows()).toEqual([])

  const removed = await recorded()
  await removed.root.delete(`/api/user/${removed.payer.id}`)
  expect(await removed.rows()).toEqual([])

  const managed = await recorded()
  await managed.root.post('/api/user/manage', { username: managed.payer.username, action: 'delete' })
  expect(await managed.rows()).toEqual([])
})

test('a recording written after its key was deleted is removed by the next cleanup', async () => {
  const { app, payer, tokenId, rows } = await recorded()
  const [row] = await rows()
  await payer.client.delete(`/api/token/${tokenId}`)
  if (row !== undefined) await app.db.insertInto('recordings').values(row).execute()
  expect(await rows()).toHaveLength(1)
  await housekeeping(app)
  expect(await rows()).toEqual([])
})

test('neither texts nor secrets are in the database: not those of headers, bodies, the vendor or the caller', async () => {
  const canary = 'canary-header-value-0123456789'
  const vendorKey = 'sk-canary-vendor-key-0123456789'
  const { app, chat, channel, key, recordingOf } = await recordingFixture()
  await channel('gpt-4o-mini', { key: vendorKey })
  const messages = [{ role: 'user', content: `A very private sentence with ${key.slice(3)} and ${vendorKey}` }]
  const response = await chat('gpt-4o-mini', { messages }, { headers: { 'x-canary': canary, cookie: canary } })
  const answer = await response.json()
  const { request, response: kept } = await recordingOf(response)
  expect(JSON.parse(request).messages[0].content).toBe('A very private sentence with *** and ***')
  expect(JSON.parse(kept)).toEqual(answer)
  const stored = await everythingStored(app)
  const said: string = answer.choices[0].message.content
  for (const secret of [canary, vendorKey, key.slice(3), 'private sentence', said]) expect(stored).not.toContain(secret)
})

test('an encrypted body that is moved to another call, or to the other side of its own, cannot be decrypted', async () => {
  const { app, payer, id } = await recorded()
  const mine = app.db.updateTable('recordings').where('request_id', '=', id)
  await mine.set(({ ref }) => ({ request_sealed: ref('response_sealed') })).execute()
  expect((await payer.client.get(`/api/log/self/recording/${id}`)).status).toBe(500)
})

type App = Awaited<ReturnType<typeof recorded>>['app']

async function housekeeping(app: App) {
  await app.parts.jobs.find(({ name }) => name === 'housekeeping')?.run()
}

/** All columns of all tables; for a file also its bytes, including its write-ahead log. */
async function everythingStored({ db, location }: App) {
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  const rows = await Promise.all(
    tables.map((name) =>
      db
        .selectFrom(name as 'recordings')
        .selectAll()
        .execute(),
    ),
  )
  const files = [location, `${location}-wal`].filter((file) => existsSync(file))
  return JSON.stringify(rows) + files.map((file) => readFileSync(file, 'latin1')).join('')
}
