import { expect, setDefaultTimeout, test } from 'bun:test'
import type { FailureEnd } from '@tollgate/contract'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/** Enough calls for a channel to be judged. */
const CALLS = 12

const refusal = (status: number, message: string) => () =>
  Response.json({ error: { message, type: 'x', code: null } }, { status })

/** The first word of an answer, then the connection is lost. */
const cutOff = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n'))
        controller.close()
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  )

const silence = () => new Promise<Response>(() => {})

const FAILURES: [FailureEnd, () => Response | Promise<Response>][] = [
  ['rate_limit', refusal(429, 'Slow down')],
  ['server_error', refusal(500, 'Broken')],
  ['timeout', silence],
  ['cut_off', cutOff],
  ['unreachable', refusal(500, 'nobody is asked')],
  ['refused_key', refusal(401, 'Incorrect API key provided')],
  ['no_balance', refusal(402, 'Insufficient balance')],
]

/** A channel that fails in one way, after concurrent calls: its status, and why it is skipped. */
async function afterFailures(end: FailureEnd, answer: () => Response | Promise<Response>, ignored: FailureEnd[]) {
  const { root, channel, chat, app } = await relayFixture({ options: { AutomaticDisableChannelEnabled: true } })
  const vendor = fakeVendor(answer)
  const base_url = end === 'unreachable' ? 'http://127.0.0.1:1' : vendor.url
  const config = JSON.stringify({ first_byte_timeout: 1, ignored_failures: ignored })
  const { id } = await channel('m', { type: 1, base_url, config })
  const calls = Array.from({ length: CALLS }, async () => (await chat('m', { stream: true, max_tokens: 5 })).text())
  if (end === 'timeout') {
    while (vendor.asked.length < CALLS) await Bun.sleep(1)
    app.clock.pass(2)
    app.parts.watchdog.check()
  }
  await Promise.all(calls)
  const { reason } = (await root.get('/api/route/?group=default&model=m')).data.levels[0]?.channels[0] ?? {}
  const { status } = (await root.get(`/api/channel/${id}`)).data
  expect(await app.audit()).toEqual([])
  return { status, reason: reason ?? '' }
}

test.each(FAILURES)('%s counts against its channel, unless the operator excludes it', async (end, answer) => {
  const others = FAILURES.map(([other]) => other).filter((other) => other !== end)
  const judged = await afterFailures(end, answer, others)
  expect(judged).not.toEqual({ status: 1, reason: '' })
  expect(await afterFailures(end, answer, [end])).toEqual({ status: 1, reason: '' })
})

test('a key of a pool is still set aside, because its channel has others', async () => {
  const { root, channel, chat } = await relayFixture({ options: { AutomaticDisableChannelEnabled: true } })
  const vendor = fakeVendor(({ headers }) =>
    headers.get('authorization')?.endsWith('1111') === true
      ? refusal(401, 'Incorrect API key provided')()
      : Response.json({
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        }),
  )
  const { id } = await channel('m', {
    ...{ type: 1, base_url: vendor.url, key: 'sk-first-1111\nsk-second-2222', key_pool: true, key_order: 'in_order' },
    config: JSON.stringify({ ignored_failures: ['refused_key'] }),
  })
  expect((await chat('m')).status).toBe(200)
  const counts = async () => (await root.get(`/api/channel/${id}/keys/counts`)).data
  while ((await counts()).set_aside === 0) await Bun.sleep(5)
  expect(await counts()).toMatchObject({ enabled: 1, set_aside: 1 })
})

test('the choice is returned as sent, copied, exported and recorded; an unknown one is refused', async () => {
  const { root, channel } = await relayFixture()
  const ignored_failures = ['timeout', 'rate_limit']
  const { id, name } = await channel('m', { name: 'steady', config: JSON.stringify({ ignored_failures }) })
  const configOf = async (which: number) => JSON.parse((await root.get(`/api/channel/${which}`)).data.config)
  expect(await configOf(id)).toMatchObject({ ignored_failures })
  const copy = (await root.post('/api/channel/copy', { id, name: 'twin' })).data
  expect(await configOf(copy.id)).toMatchObject({ ignored_failures })
  const file = (await root.post('/api/channel/export', { ids: [id], format: 'json' })).data
  expect(file.content).toContain('rate_limit')
  await root.put('/api/channel/', { id, config: '{}' })
  expect((await configOf(id)).ignored_failures).toBeUndefined()
  await root.post('/api/channel/import', { content: file.content, preview: false })
  expect(await configOf(id)).toMatchObject({ ignored_failures })
  const bad = await root.put('/api/channel/', { id, config: '{"ignored_failures":["weather"]}' })
  expect({ name, success: bad.success }).toEqual({ name: 'steady', success: false })
  expect(JSON.stringify((await root.get('/api/audit/')).data)).toContain('ignored_failures')
})
