import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { eventStream, fakeVendor } from '../testing/fake-vendor.ts'
import { MESSAGES, type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/* While a model thinks, a stream starts without it. The call can still move to another channel, and costs what it costs. */

const MODEL = 'm'
const SURFACES = {
  chat: { path: '/v1/chat/completions', body: { model: MODEL, messages: MESSAGES, stream: true } },
  responses: { path: '/v1/responses', body: { model: MODEL, input: 'Hello there', stream: true } },
  messages: { path: '/v1/messages', body: { model: MODEL, messages: MESSAGES, max_tokens: 20, stream: true } },
}
type Surface = keyof typeof SURFACES
const EACH = Object.keys(SURFACES) as Surface[]

const ALIVE = { chat: /^: keep-alive$/m, responses: /^: keep-alive$/m, messages: /^event: ping$/m }
const FAILED = { chat: /^data: \{"error":/m, responses: /^event: response\.failed$/m, messages: /^event: error$/m }

const chunk = (choices: object[], more: object = {}) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: MODEL, choices },
  ...more,
})
const ofOpenAi = () =>
  eventStream(
    chunk([{ index: 0, delta: { role: 'assistant', content: 'Well' }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    chunk([], { usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }),
  )
const ofAnthropic = () =>
  eventStream(
    {
      type: 'message_start',
      message: {
        id: 'theirs',
        type: 'message',
        role: 'assistant',
        content: [],
        usage: { input_tokens: 5, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 5, output_tokens: 2 },
    },
    { type: 'message_stop' },
  )

const KINDS = { openai: { type: 8, answer: ofOpenAi }, anthropic: { type: 14, answer: ofAnthropic } }
type Kind = keyof typeof KINDS

/** A vendor that does not answer before it is told to. */
async function thinkingChannel({ channel }: RelayFixture, kind: Kind, fields: object = {}) {
  const thought = Promise.withResolvers<Response>()
  const asked = Promise.withResolvers<void>()
  const vendor = fakeVendor(() => {
    asked.resolve()
    return thought.promise
  })
  const { type, answer } = KINDS[kind]
  await channel(MODEL, { type, base_url: vendor.url, key: 'k', ...fields })
  return { asked: asked.promise, answer: () => thought.resolve(answer()), fail: () => thought.resolve(REFUSED()) }
}
const REFUSED = () => Response.json({ error: { message: 'busy', type: 'server_error' } }, { status: 503 })

/** Sends the call and reads it until the gateway's first frame. */
async function startedStream({ app, post }: RelayFixture, surface: Surface, thinking: { asked: Promise<void> }) {
  const sending = post(SURFACES[surface].path, SURFACES[surface].body)
  await thinking.asked
  app.clock.pass(16)
  const response = await sending
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const [reader, decoder] = [response.body?.getReader(), new TextDecoder()]
  let text = ''
  const read = async () => {
    const next = await reader?.read()
    text += decoder.decode(next?.value, { stream: true })
    return next?.done === false
  }
  const until = async (seen: RegExp) => {
    while (!seen.test(text)) expect(await read()).toBe(true)
    return text
  }
  await until(ALIVE[surface])
  const toEnd = async () => {
    while (await read());
    return text
  }
  return { until, toEnd }
}

test.each(EACH.flatMap((surface) => (['openai', 'anthropic'] as const).map((kind) => ({ surface, kind }))))(
  'a stream of $surface begins while a model of $kind thinks, and the channel that answers may be another',
  async ({ surface, kind }) => {
    const fixture = await relayFixture({ options: { DefaultModelRatio: 1, RetryTimes: 1 } })
    const thinking = await thinkingChannel(fixture, kind, { priority: 2 })
    const other = await thinkingChannel(fixture, kind, { priority: 1 })
    const stream = await startedStream(fixture, surface, thinking)
    thinking.fail()
    await other.asked
    fixture.app.clock.pass(16)
    other.answer()
    const text = await stream.toEnd()
    expect(text).toContain('Well')
    expect(text).not.toMatch(FAILED[surface])
    if (surface === 'messages') {
      expect(text.match(/^event: message_start$/gm)).toHaveLength(1)
      expect(text).toMatch(/^event: message_start\ndata: \{"type":"message_start","message":\{"id":"msg_/)
      expect(text).toMatch(/"output_tokens":2\b/)
      expect(text.trimEnd()).toEndWith('data: {"type":"message_stop"}')
    }
    const { quota, prompt_tokens, completion_tokens } = await fixture.onlyLog()
    expect({ quota, prompt_tokens, completion_tokens }).toEqual({ quota: 7, prompt_tokens: 5, completion_tokens: 2 })
    expect(await fixture.charges()).toHaveLength(1)
    expect(await fixture.openHolds()).toEqual([])
    expect(await fixture.app.audit()).toEqual([])
  },
)

test.each(EACH)('a failure after the start of a stream of %s is told inside it, and costs nothing', async (surface) => {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const thinking = await thinkingChannel(fixture, 'openai')
  const stream = await startedStream(fixture, surface, thinking)
  fixture.app.clock.pass(16)
  thinking.fail()
  const text = await stream.toEnd()
  expect(text).toMatch(FAILED[surface])
  expect(text).toContain('busy (request id: ')
  expect(await fixture.onlyLog()).toMatchObject({ quota: 0, type: 6 })
  expect(await fixture.account()).toMatchObject({ held: 0, quota: 1_000_000 })
})

test('keep-alives go on for as long as the model thinks', async () => {
  const fixture = await relayFixture()
  const thinking = await thinkingChannel(fixture, 'openai')
  const stream = await startedStream(fixture, 'messages', thinking)
  for (const count of [2, 3, 4]) {
    fixture.app.clock.pass(16)
    await stream.until(new RegExp(`(?:event: ping[^]*){${count}}`))
  }
  thinking.answer()
  expect(await stream.toEnd()).toContain('Well')
})

test('a client that leaves a started stream before its answer ends the call, which costs nothing', async () => {
  const fixture = await relayFixture()
  const thinking = await thinkingChannel(fixture, 'openai')
  const leaving = new AbortController()
  const { path, body } = SURFACES.messages
  const sending = fixture.post(path, body, { signal: leaving.signal })
  await thinking.asked
  fixture.app.clock.pass(16)
  await sending
  leaving.abort()
  await fixture.atRest()
  expect(await fixture.account()).toMatchObject({ held: 0, quota: 1_000_000 })
  expect(await fixture.app.audit()).toEqual([])
})

test("OpenAI's and Anthropic's clients read a stream that started before its answer", async () => {
  const fixture = await relayFixture()
  const { app, key } = fixture
  const anthropic = new Anthropic({ baseURL: app.url, apiKey: key, maxRetries: 0 })
  const openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'Hello there' }]
  const vendor = fakeVendor(async () => {
    app.clock.pass(16)
    await started.promise
    return ofOpenAi()
  })
  let started = Promise.withResolvers<void>()
  await fixture.channel(MODEL, { base_url: vendor.url })
  const watched: typeof fetch = Object.assign(
    async (...asked: Parameters<typeof fetch>) => {
      const response = await fetch(...asked)
      started.resolve()
      return response
    },
    { preconnect: fetch.preconnect },
  )
  const inTurn = <T>(read: () => T) => {
    started = Promise.withResolvers()
    return read()
  }
  const message = await inTurn(() =>
    anthropic.withOptions({ fetch: watched }).messages.stream({ model: MODEL, messages, max_tokens: 9 }).finalMessage(),
  )
  expect(message).toMatchObject({ content: [{ text: 'Well' }], usage: { input_tokens: 5, output_tokens: 2 } })
  const chat = await inTurn(() =>
    openai.withOptions({ fetch: watched }).chat.completions.stream({ model: MODEL, messages }).finalContent(),
  )
  const response = await inTurn(() =>
    openai.withOptions({ fetch: watched }).responses.stream({ model: MODEL, input: 'Hi' }).finalResponse(),
  )
  expect([chat, response.output_text]).toEqual(['Well', 'Well'])
})
