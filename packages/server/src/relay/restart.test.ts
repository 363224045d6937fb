import { expect, test } from 'bun:test'
import { storedChannel } from '../testing/channel-makers.ts'
import { DIALECT_STREAMS, ENGLISH } from '../testing/dialect-streams.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

/* The process stops before its calls have ended. */

const fixture = async (model: string) => {
  const relay = await relayFixture({ options: { AutomaticDisableChannelEnabled: true, RetryTimes: 3 } })
  const { id } = await relay.channel('m', { model_mapping: JSON.stringify({ m: model }) })
  await relay.channel('m', { priority: -1, model_mapping: '{"m":"say/5"}' })
  return { relay, id }
}

test.each(Object.keys(DIALECT_STREAMS))(
  'a stream that a restart ends says so, in the format of %s',
  async (dialect) => {
    const { relay } = await fixture('fault/stall-mid')
    const response = await DIALECT_STREAMS[dialect]?.(relay)
    expect(response?.status).toBe(200)
    relay.app.parts.watchdog.endAll()
    const text = (await response?.text()) ?? ''
    expect(text).toContain('The gateway is restarting')
    expect(text).not.toContain('silent')
    expect(text).toMatch(/"(error|response\.failed)"/)
    expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'restart' })
    await relay.atRest()
    expect(await relay.app.audit()).toEqual([])
  },
)

test('a call without an answer yet gets a retryable error, and no other channel is tried', async () => {
  const { relay } = await fixture('fault/hang')
  const calling = relay.chat('m', {}, ENGLISH)
  await relay.upstream.received(1)
  relay.app.parts.watchdog.endAll()
  const response = await calling
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await response.json()).error).toMatchObject({
    code: 'relay_restarting',
    message: expect.stringContaining('The gateway is restarting'),
  })
  expect(relay.upstream.journal).toHaveLength(1)
  await relay.atRest()
})

test('calls ended by a restart do not count against a channel', async () => {
  const { relay, id } = await fixture('fault/wait')
  const calls = await Promise.all(Array.from({ length: 12 }, () => relay.chat('m', { stream: true })))
  relay.app.parts.watchdog.endAll()
  for (const call of calls) await call.text()
  await relay.atRest()
  expect((await storedChannel(relay.app, id)).status).toBe(1)
  relay.upstream.release()
  expect(await (await relay.chat('m', { stream: true })).text()).toContain('[DONE]')
  expect(relay.upstream.journal.map(({ model }) => model)).toEqual(Array(13).fill('fault/wait'))
})
