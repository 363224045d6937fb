import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { LogType } from '@tollgate/contract'
import OpenAI from 'openai'
import { storedChannel } from '../testing/channel-makers.ts'
import { cutAfter, type RecordedStream, recordedStreams } from '../testing/cut-streams.ts'
import { MESSAGES, relayFixture } from '../testing/relay-fixture.ts'
import { replayedVendors } from '../testing/replayed-vendors.ts'

// Each test requests some dozens of streams, possibly on a busy machine.
setDefaultTimeout(60_000)

/* A vendor's stream that is closed cleanly before its end must not be taken for a complete answer. */

const ROOT = 100
const STREAMS = Object.entries(await recordedStreams())

interface Surface {
  ask(model: string): { path: string; body: object }
  /** How a complete answer ends, and how an interrupted one is reported. */
  end: RegExp
  error: RegExp
}

const contents = [{ role: 'user', parts: [{ text: 'Hello there' }] }]
const SURFACES: Record<string, Surface> = {
  chat: {
    ask: (model) => ({ path: '/v1/chat/completions', body: { model, stream: true, messages: MESSAGES } }),
    end: /\[DONE\]|"finish_reason":"/,
    error: /^data: \{"error":\{/m,
  },
  messages: {
    ask: (model) => ({ path: '/v1/messages', body: { model, stream: true, max_tokens: 90, messages: MESSAGES } }),
    end: /message_stop|"stop_reason":"/,
    error: /^event: error$/m,
  },
  responses: {
    ask: (model) => ({ path: '/v1/responses', body: { model, stream: true, store: false, input: 'Hello there' } }),
    end: /response\.(completed|incomplete)/,
    error: /^event: response\.failed$/m,
  },
  gemini: {
    ask: (model) => ({ path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`, body: { contents } }),
    end: /"finishReason": ?"/,
    error: /^data: \{"error":\{/m,
  },
}

/** A gateway with one vendor, whose stream is cut where the test says. The channel is pinned, so it never cools down. */
async function fixtureOf(stream: RecordedStream, options: Record<string, boolean> = {}) {
  const fixture = await relayFixture({ role: ROOT, options: { DefaultModelRatio: 1, ...options } })
  let count = stream.events.length
  const isChat = (path: string) => path !== '/token' && path !== '/oauth/2.0/token'
  const vendors = replayedVendors(({ method, path }) =>
    method === 'POST' && isChat(path) ? cutAfter(stream, count) : undefined,
  )
  const { id } = await fixture.channel(stream.model, { ...vendors.fieldsOf(stream.type), other: stream.other })
  const key = `${fixture.key}-${id}`
  return {
    ...fixture,
    id,
    key,
    cutAt: (events: number) => {
      count = events
    },
    stop: vendors.stop,
    send: ({ path, body }: { path: string; body: object }) => fixture.post(path, body, { key }),
  }
}

const cutsOf = ({ endsWith }: RecordedStream) =>
  Array.from({ length: endsWith - 1 }, (_, index) => index + 1).flatMap((count) => [count, count + 0.5])

test.each(STREAMS)(
  'a cut stream of %s is an error in every dialect, and is never completed for it',
  async (_, stream) => {
    const { send, cutAt, logs, charges, stop, app } = await fixtureOf(stream)
    for (const [name, { ask, end, error }] of Object.entries(SURFACES)) {
      cutAt(stream.events.length)
      const whole = await (await send(ask(stream.model))).text()
      expect({ name, whole }).toEqual({ name, whole: expect.stringMatching(end) })
      expect(whole).not.toMatch(error)

      for (const count of cutsOf(stream)) {
        cutAt(count)
        const charged = (await charges()).length
        const answer = await send(ask(stream.model))
        const answerText = await answer.text()
        const { type, detail, quota } = (await logs()).at(-1) ?? {}
        if (answer.status !== 200) {
          // Nothing was delivered: another channel could have been tried.
          expect({ name, count, status: answer.status, type }).toMatchObject({ status: 502, type: LogType.failed })
          expect(await charges()).toHaveLength(charged)
          continue
        }
        expect({ name, count, answerText }).toEqual({ name, count, answerText: expect.stringMatching(error) })
        expect({ name, count, answerText }).toEqual({ name, count, answerText: expect.not.stringMatching(end) })
        const failed = type === LogType.failed
        const why = failed ? detail.error : detail.reason
        expect({ flag: detail.flag, why }).toEqual({
          flag: failed ? 'upstream_error' : 'partial',
          why: expect.stringContaining('closed the stream before the end'),
        })
        expect(await charges()).toHaveLength(charged + (failed ? 0 : 1))
        expect((quota ?? 0) > 0).toBe(!failed)
      }
    }
    expect(await app.audit()).toEqual([])
    await stop()
  },
)

const READ: [string, (at: { url: string; key: string; model: string }) => Promise<unknown>][] = [
  [
    "OpenAI's client with chats",
    ({ url, key, model }) =>
      new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }).chat.completions
        .stream({ model, messages: [{ role: 'user', content: 'hello' }] })
        .finalChatCompletion(),
  ],
  [
    "OpenAI's client with responses",
    ({ url, key, model }) =>
      new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }).responses
        .stream({ model, input: 'hello' })
        .finalResponse(),
  ],
  [
    "Anthropic's client",
    ({ url, key, model }) =>
      new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 }).messages
        .stream({ model, max_tokens: 90, messages: [{ role: 'user', content: 'hello' }] })
        .finalMessage(),
  ],
  [
    "Google's client",
    async ({ url, key, model }) => {
      const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
      for await (const _ of await client.models.generateContentStream({ model, contents: 'hello' }));
    },
  ],
]

test.each(READ)('%s reads a cut stream of any vendor as an error, and a whole one as an answer', async (_, read) => {
  for (const name of ['OpenAI', 'Anthropic', 'Gemini', 'Cohere', 'Bedrock', 'Ollama', 'Qwen']) {
    const stream = Object.fromEntries(STREAMS)[name]
    if (stream === undefined) throw new Error(`No stream of ${name}`)
    const { app, key, cutAt, stop } = await fixtureOf(stream)
    const received = () =>
      read({ url: app.url, key, model: stream.model }).then(
        () => 'an answer',
        () => 'an error',
      )
    expect({ name, received: await received() }).toEqual({ name, received: 'an answer' })
    cutAt(stream.endsWith - 1)
    expect({ name, received: await received() }).toEqual({ name, received: 'an error' })
    await stop()
  }
})

test.each(['chat', 'messages'])('cut streams count against the channel (%s)', async (surface) => {
  const { Anthropic: stream } = Object.fromEntries(STREAMS)
  if (stream === undefined) throw new Error('No stream')
  const { post, cutAt, stop, app, id } = await fixtureOf(stream, { AutomaticDisableChannelEnabled: true })
  const { path = '', body = {} } = SURFACES[surface]?.ask(stream.model) ?? {}
  cutAt(stream.endsWith - 1)
  for (let n = 0; n < 10; n++) await (await post(path, body)).text()
  const AUTO_DISABLED = 3
  for (const deadline = Date.now() + 20_000; (await storedChannel(app, id)).status !== AUTO_DISABLED; ) {
    if (Date.now() > deadline) throw new Error('The channel is still used')
    await Bun.sleep(5)
  }
  await stop()
})

test('a finish reason is enough, even without the end marker; so is the marker without a reason', async () => {
  const { OpenAI: stream } = Object.fromEntries(STREAMS)
  if (stream === undefined) throw new Error('No stream')
  const { send, cutAt, onlyLog, stop } = await fixtureOf(stream)
  cutAt(stream.endsWith)
  const answerText = await (await send({ ...(SURFACES.chat?.ask(stream.model) ?? { path: '', body: {} }) })).text()
  expect(answerText).toEndWith('data: [DONE]\n\n')
  expect((await onlyLog()).detail).not.toHaveProperty('flag')
  await stop()

  const reason = /"finish_reason":"stop"/
  const events = stream.events.filter((event) => !reason.test(new TextDecoder().decode(event)))
  for (const [name, { ask, end, error }] of Object.entries(SURFACES)) {
    const fixture = await fixtureOf({ ...stream, events })
    const answer = await (await fixture.send(ask(stream.model))).text()
    expect({ name, answer }).toEqual({ name, answer: expect.stringMatching(end) })
    expect(answer).not.toMatch(error)
    await fixture.stop()
  }
})

test('a caller who wants a whole answer of a vendor that only streams gets no partial one, and pays nothing', async () => {
  const { Coze: stream } = Object.fromEntries(STREAMS)
  if (stream === undefined) throw new Error('No stream')
  const { send, cutAt, charges, stop } = await fixtureOf(stream)
  const plain = { path: '/v1/chat/completions', body: { model: stream.model, messages: MESSAGES } }
  for (let count = 1; count < stream.endsWith; count++) {
    cutAt(count)
    expect((await send(plain)).status).toBe(502)
  }
  expect(await charges()).toEqual([])
  cutAt(stream.events.length)
  expect((await send(plain)).status).toBe(200)
  await stop()
})
