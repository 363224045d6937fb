import { expect, setDefaultTimeout, test } from 'bun:test'
import { broke, CHAT, dead, type KeyShown, keysWhere, pooled, refusal, until } from '../testing/key-pool-fixture.ts'
import { readStream } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test.each([
  ['refuses it', dead, false],
  ['forbids it', () => refusal(403, 'Your account is suspended'), false],
  ['says that its balance is spent', broke, true],
])('a key is set aside when its vendor %s, and the call continues with the next', async (_, answer, isStreamed) => {
  const fixture = await pooled({}, { RetryTimes: 0, AutomaticDisableChannelEnabled: true })
  fixture.answers.aaa1 = answer
  const response = await fixture.chat('m', { stream: isStreamed })
  expect(response.status).toBe(200)
  if (isStreamed) expect((await readStream(response)).events.length).toBeGreaterThan(0)
  else await response.text()
  const { detail } = await fixture.onlyLog()
  expect(detail.attempts).toMatchObject([
    { key: 'aaa1', passed: true, error: expect.any(String) },
    { key: 'bbb2', status: 200 },
  ])
  const [first, second] = await keysWhere(fixture, ([key]) => key?.status === 3)
  expect(first).toMatchObject({ status: 3, status_reason: expect.stringMatching(/^40[123] /), calls: 0 })
  expect(second).toMatchObject({ status: 1, calls: 1, status_reason: '' })
  // It has not failed: it is neither disabled nor listed as needing attention.
  for (let n = 0; n < 30; n++) expect(await fixture.say()).toBe(200)
  expect(fixture.used().filter((key) => key === 'aaa1')).toHaveLength(1)
  expect(await fixture.channelNow()).toMatchObject({ status: 1 })
  const { data } = await fixture.root.get('/api/channel/attention')
  expect(data.channels).toMatchObject([{ reasons: ['unpriced'], recent: { failed: 0, calls: 31 }, day: { failed: 0 } }])
})

test('when all keys are dead the channel is treated like one with a single dead key', async () => {
  const fixture = await pooled({}, { RetryTimes: 5, AutomaticDisableChannelEnabled: true })
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = dead
  const answer = await fixture.chat('m')
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(fixture.used()).toEqual(['aaa1', 'bbb2', 'ccc3'])
  const channel = await until(fixture.channelNow, ({ status }) => status === 3)
  expect(channel.status_reason).toContain('Incorrect API key provided')
  await keysWhere(fixture, (keys) => keys.every(({ status }) => status === 3))
  expect((await fixture.account()).held).toBe(0)
})

test('if channels may not be disabled automatically, one without a usable key is skipped until a key is enabled', async () => {
  const fixture = await pooled()
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = dead
  await fixture.say()
  const keys = await keysWhere(fixture, (all) => all.every(({ status }) => status === 3))
  expect(await fixture.channelNow()).toMatchObject({ status: 1 })
  expect(await fixture.say()).toBe(503)
  expect(fixture.vendor.asked).toHaveLength(3)
  expect(await fixture.routeReason()).toBe('keys_out')
  delete fixture.answers.bbb2
  const body = { ids: [keys[1]?.id], status: 1 }
  expect((await fixture.root.put(`/api/channel/${fixture.id}/keys`, body)).data).toBe(1)
  expect([await fixture.say(), fixture.used().at(-1)]).toEqual([200, 'bbb2'])
})

test('a full test that passes with a set-aside key restores it with its channel', async () => {
  const options = { AutomaticDisableChannelEnabled: true, AutomaticEnableChannelEnabled: true }
  const fixture = await pooled({ models: 'm,gpt-4o' }, options)
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = dead
  await fixture.say()
  await until(fixture.channelNow, ({ status }) => status === 3)
  await keysWhere(fixture, (keys) => keys.every(({ status }) => status === 3))
  delete fixture.answers.aaa1
  await fixture.root.get('/api/channel/test?scope=disabled')
  await until(fixture.channelNow, ({ status }) => status === 1)
  await keysWhere(fixture, (keys) => keys.map(({ status }) => status).join() === '1,3,3')
  fixture.app.clock.pass(2)
  expect(await fixture.say()).toBe(200)
})

test('a vendor that requires tokens instead of keys gets one for each key, and it is cached', async () => {
  const key = ['first-id.first-secret-aaa1', 'second-id.second-secret-bbb2'].join('\n')
  const fixture = await pooled({ type: 16, key })
  for (let n = 0; n < 6; n++) expect(await fixture.say()).toBe(200)
  const tokens = fixture.vendor.asked.map(({ headers }) => headers.get('authorization'))
  expect(new Set(tokens).size).toBe(2)
  expect(tokens[0]).toBe(tokens[4] ?? '')
})

test('concurrent calls find the dead keys together, and the channel ends with the last of them', async () => {
  const fixture = await pooled({}, { RetryTimes: 0, AutomaticDisableChannelEnabled: true })
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = dead
  await Promise.all(Array.from({ length: 12 }, () => fixture.say()))
  await until(fixture.channelNow, ({ status }) => status === 3)
  await keysWhere(fixture, (keys) => keys.every(({ status }) => status === 3))
})

test('a prompt that the vendor refuses with 403 for its content costs no key and not the channel', async () => {
  const fixture = await pooled({}, { RetryTimes: 2, AutomaticDisableChannelEnabled: true })
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) {
    fixture.answers[hint] = () => refusal(403, 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO')
  }
  expect(await fixture.say()).toBe(400)
  expect(fixture.used()).toEqual(['aaa1'])
  fixture.answers.bbb2 = () => Response.json(CHAT)
  expect(await fixture.say()).toBe(200)
  expect((await fixture.keys()).map(({ status }: KeyShown) => status)).toEqual([1, 1, 1])
  expect((await fixture.channelNow()).status).toBe(1)
})

test('a server error is the fault of the channel and not of a key', async () => {
  const fixture = await pooled({}, { RetryTimes: 0 })
  fixture.answers.aaa1 = () => refusal(500, 'Out of order')
  expect(await fixture.say()).toBeGreaterThanOrEqual(500)
  expect(fixture.used()).toEqual(['aaa1'])
  const [first] = await keysWhere(fixture, ([key]) => key?.last_error !== '')
  expect(first).toMatchObject({ status: 1, last_error: '500 Out of order', cooldown_until: 0 })
})
