import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { ASKS_COST, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Errors of vendors inside a stream of their own dialect reach the client unchanged. */

const OPENED = [
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', error: null, usage: null } },
  { type: 'response.in_progress', response: { id: 'resp_1', status: 'in_progress', error: null, usage: null } },
]
const limit = { code: 'rate_limit_exceeded', message: 'Limit 30000, Requested 35364.' }
const failed = (usage: object | null) => ({
  type: 'response.failed',
  response: { id: 'resp_1', status: 'failed', error: limit, output: [], usage },
})
const said = { type: 'response.output_text.delta', delta: 'The bar goes' }

const RESPONSES = { path: '/v1/responses', type: 1, body: { model: 'toll-1', input: 'Hello', stream: true } }
const MESSAGES = {
  path: '/v1/messages',
  type: 14,
  body: { model: 'claude-opus-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }], stream: true },
}

/** The first events at once, the others when the client has seen them: it is too late for another channel. */
async function replayed({ path, type, body }: typeof RESPONSES | typeof MESSAGES, first: object[], rest: object[]) {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const seen = Promise.withResolvers<void>()
  const vendor = fakeVendor(() => {
    const stream = new ReadableStream<string>({
      async start(controller) {
        controller.enqueue(framed(first))
        await seen.promise
        controller.enqueue(framed(rest))
        controller.close()
      },
    })
    return new Response(stream.pipeThrough(new TextEncoderStream()), {
      headers: { 'content-type': 'text/event-stream' },
    })
  })
  await fixture.channel(body.model, { type, base_url: vendor.url, key: 'k' })
  const answer = await fixture.post(path, body)
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    seen.resolve()
  }
  return { text, ...fixture }
}

const EVENTS = { headers: { 'content-type': 'text/event-stream' } }

const framed = (events: object[]) =>
  events.map((event) => `event: ${'type' in event ? event.type : ''}\ndata: ${JSON.stringify(event)}\n\n`).join('')

test('a response that fails before its first output has the vendor’s error, and costs nothing', async () => {
  const { text, onlyLog, account, app } = await replayed(RESPONSES, OPENED, [failed(null)])
  expect(text).toBe(framed([...OPENED, failed(null)]))
  expect(await onlyLog()).toMatchObject({
    type: 6,
    quota: 0,
    detail: { flag: 'upstream_error' },
  })
  expect((await account()).used_quota).toBe(0)
  expect(await app.audit()).toEqual([])
})

test('an error event and the failed response behind it both arrive', async () => {
  const error = { type: 'error', sequence_number: 2, error: { type: 'insufficient_quota', code: 'insufficient_quota' } }
  const { text, onlyLog } = await replayed(RESPONSES, OPENED, [error, failed(null)])
  expect(text).toBe(framed([...OPENED, error, failed(null)]))
  expect(await onlyLog()).toMatchObject({ quota: 0 })
})

test('a response that fails after some words is charged what it reports, or what arrived', async () => {
  const usage = { input_tokens: 100, output_tokens: 7, total_tokens: 107 }
  const stated = await replayed(RESPONSES, [...OPENED, said], [failed(usage)])
  expect(stated.text).toBe(framed([...OPENED, said, failed(usage)]))
  expect(await stated.onlyLog()).toMatchObject({ quota: 107 })
  const unstated = await replayed(RESPONSES, [...OPENED, said], [failed(null)])
  expect(await unstated.onlyLog()).toMatchObject({ quota: 2 + 3, detail: { flag: 'partial' } })
})

test("Anthropic's clients see that it is overloaded, with its own error type", async () => {
  const start = {
    type: 'message_start',
    message: { id: 'msg_1', content: [], usage: { input_tokens: 4, output_tokens: 1 } },
  }
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const { text, onlyLog } = await replayed(MESSAGES, [start], [error])
  expect(text).toBe(framed([start, error]))
  expect(await onlyLog()).toMatchObject({ quota: 0 })
})

test('a stream whose events have no names ends where their payloads say so', async () => {
  const fixture = await relayFixture()
  const events = [{ type: 'message_start', message: { usage: { input_tokens: 4 } } }, { type: 'message_stop' }]
  const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const vendor = fakeVendor(() => new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } }))
  await fixture.channel(MESSAGES.body.model, { type: MESSAGES.type, base_url: vendor.url, key: 'k' })
  const text = await (await fixture.post(MESSAGES.path, MESSAGES.body, ASKS_COST)).text()
  // The part that waits for the charge comes after it.
  expect(text).toMatch(/^data: \{"type":"message_start".*\n\n: tollgate .*\n\ndata: \{"type":"message_stop"\}\n\n$/s)
})

test('a marker that a vendor sends after the end stays after it, in one chunk or in two', async () => {
  const usage = { input_tokens: 3, output_tokens: 1, total_tokens: 4 }
  const completed = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [], usage } }
  const unnamed = [...OPENED, said, completed].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  for (const [first, later] of [
    [`: HELLO\n\n${unnamed}data: [DONE]\n\n`, ''],
    [unnamed, 'data: [DONE]\n\n'],
  ]) {
    const fixture = await relayFixture()
    const vendor = fakeVendor(() => {
      const body = new ReadableStream<string>({
        start(controller) {
          for (const piece of [first, later]) if (piece !== '') controller.enqueue(piece)
          controller.close()
        },
      })
      return new Response(body.pipeThrough(new TextEncoderStream()), EVENTS)
    })
    await fixture.channel(RESPONSES.body.model, { type: RESPONSES.type, base_url: vendor.url, key: 'k' })
    const text = await (await fixture.post(RESPONSES.path, RESPONSES.body)).text()
    expect(text).toBe(`${first}${later}`)
    expect(await fixture.onlyLog()).toMatchObject({ prompt_tokens: 3, completion_tokens: 1 })
  }
})

test('other content in a chunk without choices reaches a client that requested no usage', async () => {
  const fixture = await relayFixture()
  const chunks = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }], usage: null },
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } },
    { choices: [], usage: null, moderation: { input: { flagged: false } } },
  ].map((chunk) => `data: ${JSON.stringify({ id: 'chatcmpl-1', ...chunk })}\n\n`)
  const vendor = fakeVendor(() => new Response(`${chunks.join('')}data: [DONE]\n\n`, EVENTS))
  await fixture.channel('toll-1', { type: 1, base_url: vendor.url, key: 'k' })
  const text = await (await fixture.chat('toll-1', { stream: true })).text()
  expect(text).toBe(`${chunks[0]}${chunks[2]}data: [DONE]\n\n`)
})

test('a whole response that failed is not an answer: another channel is tried', async () => {
  const fixture = await relayFixture({ options: { RetryTimes: 1 } })
  const whole = { id: 'resp_1', object: 'response', status: 'failed', error: limit, output: [], usage: null }
  const failing = fakeVendor(() => Response.json(whole))
  const answering = fakeVendor(() =>
    Response.json({ ...whole, status: 'completed', error: null, usage: { input_tokens: 3, output_tokens: 1 } }),
  )
  await fixture.channel('gpt-5', { type: 1, base_url: failing.url, key: 'k', priority: 9 })
  await fixture.channel('gpt-5', { type: 1, base_url: answering.url, key: 'k' })
  const answer = await fixture.post('/v1/responses', { model: 'gpt-5', input: 'Hello' })
  expect(await answer.json()).toMatchObject({ status: 'completed' })
  expect(failing.asked).toHaveLength(1)
})

test('a model that a key may not use is looked for elsewhere, and the channel stays enabled', async () => {
  const options = { DefaultModelRatio: 1, RetryTimes: 1, AutomaticDisableChannelEnabled: true }
  const { channel, chat, root, account } = await relayFixture({ options })
  const error = { message: 'Project `p` does not have access to model `m`', code: 'model_not_found' }
  const { url, asked } = fakeVendor(() => Response.json({ error }, { status: 403 }))
  const { id } = await channel('m,say/5', { base_url: url, priority: 9 })
  const alone = await chat('m')
  expect([alone.status, alone.headers.get('x-should-retry')]).toEqual([404, 'false'])
  expect(await alone.json()).toMatchObject({ error: { code: 'model_not_found', param: 'model' } })
  await channel('say/5')
  expect((await chat('say/5')).status).toBe(200)
  expect(asked).toHaveLength(2)
  expect((await root.get(`/api/channel/${id}`)).data).toMatchObject({ status: 1 })
  expect(await account()).toMatchObject({ held: 0 })
})

test.each([301, 302, 307, 308])(
  'a vendor that redirects with %i is no vendor that is away: the log names the address',
  async (status) => {
    const vendor = fakeVendor(() => new Response(null, { status, headers: { location: 'https://elsewhere.example/' } }))
    const { channel, post, logs } = await relayFixture()
    await channel('gpt-4o', { base_url: vendor.url })
    const answer = await post('/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] })
    const { error } = await answer.json()
    expect([answer.status, error.message]).toEqual([
      502,
      expect.stringContaining(
        `answered with a redirect (${status}), which is not followed. Check the channel's address`,
      ),
    ])
    expect(vendor.asked).toHaveLength(1)
    const [call] = await logs()
    expect([call?.quota, call?.content]).toEqual([0, expect.stringContaining(`重定向（${status}）`)])
  },
)
