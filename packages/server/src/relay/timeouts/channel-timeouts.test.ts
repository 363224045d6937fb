import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { CHANNEL, makeChannel } from '../../testing/channel-makers.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { makeAdmin } from '../../testing/makers.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { createHttp } from '../../upstream/http.ts'

setDefaultTimeout(30_000)

test('a channel that exceeds its own first-byte timeout is given up for the next one', async () => {
  const { app, channel, chat, onlyLog } = await relayFixture({ options: { RetryTimes: 1 } })
  const silent = fakeVendor(() => new Promise<Response>(() => {}))
  const config = '{"first_byte_timeout":5}'
  await channel('a-model', { name: 'silent', base_url: silent.url, priority: 9, config })
  await channel('a-model', { name: 'next' })
  const asked = chat('a-model')
  await silent.received('POST', '/v1/chat/completions')
  app.clock.pass(5)
  app.parts.watchdog.check()
  app.clock.pass(1)
  app.parts.watchdog.check()
  expect((await asked).status).toBe(200)
  const { detail } = await onlyLog()
  expect(detail.attempts).toMatchObject([
    { name: 'silent', error: 'The upstream did not answer in time' },
    { name: 'next', status: 200 },
  ])
})

test('a server that accepts the connection but does not complete the handshake is given up after the connect timeout', async () => {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  onTestFinished(() => server.stop(true))
  const asked = createHttp().request(`https://127.0.0.1:${server.port}/`, {
    policy: 'admin',
    connectTimeoutMs: 20,
    timeoutMs: false,
  })
  const error = await asked.catch((reason) => reason)
  expect(error).toMatchObject({ code: 'outbound.failed' })
  expect(error.cause.message).toEndWith('connect time-out')
})

test('timeouts are stored as numbers, emptied ones are removed, and a change is in the audit log', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { config: '{"connect_timeout":3,"first_byte_timeout":""}' })
  const shown = async () => JSON.parse((await client.get(`/api/channel/${id}`)).data.config)
  expect(await shown()).toMatchObject({ connect_timeout: 3 })
  expect(await shown()).not.toHaveProperty('first_byte_timeout')
  await client.put('/api/channel/', { id, config: '{"first_byte_timeout":30}' })
  expect(await shown()).not.toHaveProperty('connect_timeout')
  const [{ before, after }] = (await client.get('/api/audit')).data
  expect({ before, after }).toMatchObject({ before: { connect_timeout: 3 }, after: { first_byte_timeout: 30 } })
})

test.each([
  ['connect_timeout', 0, 60],
  ['connect_timeout', 61, 60],
  ['connect_timeout', 1.5, 60],
  ['first_byte_timeout', 901, 900],
  ['first_byte_timeout', '5', 900],
])('an invalid timeout is refused: %s of %p', async (name, value, max) => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const creation = { ...CHANNEL, config: JSON.stringify({ [name]: value }) }
  expect((await client.post('/api/channel/', creation)).body).toMatchObject({
    success: false,
    message: `超时时间应为 1 到 ${max} 之间的整数秒`,
  })
})
