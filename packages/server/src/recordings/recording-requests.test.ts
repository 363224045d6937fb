import { expect, test } from 'bun:test'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { recordingFixture } from '../testing/recording-fixture.ts'

const SETTINGS = { scope: 'all', share: 100, days: 2, size: 16 }
const ANSWER = '/api/token/recording/answer'

/** A user who has not agreed to anything, and an administrator. */
const fixture = async (options = {}) => {
  const relay = await recordingFixture({ settings: null, options })
  await relay.channel('fixed/12/10')
  const admin = (await makeAdmin(relay.app)).client
  const ask = (fields: object = {}) =>
    admin.post('/api/token/recording', { id: relay.tokenId, settings: SETTINGS, reason: 'ticket 7', ...fields })
  const answer = (agree: boolean, fields: object = {}) =>
    relay.payer.client.post(ANSWER, { id: relay.tokenId, agree, settings: SETTINGS, ...fields })
  const token = async () => (await relay.payer.client.get(`/api/token/${relay.tokenId}`)).data
  return { ...relay, admin, ask, answer, token }
}

test('an administrator asks, the owner sees it at the key, and only after agreeing is anything recorded', async () => {
  const { ask, answer, token, chat, rows } = await fixture()
  expect((await ask()).data.recording_request).toEqual({ settings: SETTINGS, reason: 'ticket 7', declined: false })
  await (await chat('fixed/12/10')).text()
  expect(await rows()).toHaveLength(0)
  expect(await token()).toMatchObject({ recording: null, recording_request: { reason: 'ticket 7' } })
  expect((await answer(true)).data).toMatchObject({ recording: SETTINGS, recording_request: null })
  await (await chat('fixed/12/10')).text()
  expect(await rows()).toHaveLength(1)
})

test('an owner who declines is not recorded, and administrators see that', async () => {
  const { ask, answer, token, tokenId, chat, rows, admin } = await fixture()
  await ask()
  expect((await answer(false)).data.recording).toBeNull()
  await (await chat('fixed/12/10')).text()
  expect(await rows()).toHaveLength(0)
  const listed = (await admin.get('/api/token/all')).data.find(({ id }: { id: number }) => id === tokenId)
  expect(listed.recording_request).toMatchObject({ declined: true })
  expect(await token()).toMatchObject({ recording: null, recording_request: { declined: true } })
  // Once declined, it cannot be accepted by mistake; it has to be requested again.
  expect(await answer(true)).toMatchObject({ success: false, message: '没有等待答复的记录请求' })
  await ask()
  expect((await answer(true)).success).toBe(true)
})

test('settings that changed after the owner looked are not agreed to', async () => {
  const { ask, answer, token } = await fixture()
  await ask()
  await ask({ settings: { ...SETTINGS, days: 7 } })
  expect(await answer(true)).toMatchObject({ success: false, message: '请求的内容刚刚改变，请看过之后再答复' })
  expect(await token()).toMatchObject({ recording: null, recording_request: { settings: { days: 7 } } })
})

test('a withdrawn request leaves nothing to agree to, and what the owner had enabled stays', async () => {
  const { ask, answer, token, agree } = await fixture()
  const own = { ...SETTINGS, scope: 'errors' as const }
  await agree(own)
  await ask()
  expect(await token()).toMatchObject({ recording: own })
  expect((await ask({ settings: null, reason: '' })).data.recording_request).toBeNull()
  expect((await answer(true)).success).toBe(false)
  expect(await token()).toMatchObject({ recording: own, recording_request: null })
})

test('only the owner answers, and no administrator can agree for a user', async () => {
  const { app, ask, token, tokenId, admin, root } = await fixture()
  await ask()
  const other = await makeUser(app)
  for (const client of [other.client, admin, root]) {
    const refusal = await client.post(ANSWER, { id: tokenId, agree: true, settings: SETTINGS })
    expect(refusal).toMatchObject({ success: false, message: '令牌不存在' })
  }
  expect(await token()).toMatchObject({ recording: null, recording_request: { declined: false } })
})

test('asking requires a reason, a site with recording enabled, and a rank above the owner', async () => {
  const { ask, admin, root } = await fixture()
  expect(await ask({ reason: ' ' })).toMatchObject({ success: false, message: '请写明记录的原因' })
  expect(await ask({ id: 999_999 })).toMatchObject({ success: false, message: '令牌不存在' })
  expect((await ask({ settings: { ...SETTINGS, share: 0 } })).success).toBe(false)
  const { data } = await root.get('/api/token/')
  expect((await admin.post('/api/token/recording', { id: data[0].id, settings: SETTINGS, reason: 'x' })).success).toBe(
    false,
  )
  const off = await fixture({ RecordingEnabled: 'false' })
  expect(await off.ask()).toMatchObject({ success: false, message: '站点没有开启调用记录' })
})

test('asking and answering are in the audit log, and the request in the owner’s log', async () => {
  const { ask, answer, payer, root } = await fixture()
  await ask()
  await answer(true)
  const { data } = await root.get('/api/audit/')
  const actions = data.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(expect.arrayContaining(['token.ask_recording', 'token.agree_recording']))
  const log = (await payer.client.get('/api/log/self/')).data.map(({ content }: { content: string }) => content)
  expect(log).toContain('管理员请你同意记录令牌“default”的调用，原因：ticket 7')
})
