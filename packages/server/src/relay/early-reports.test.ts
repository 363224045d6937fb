import { expect, setDefaultTimeout, test } from 'bun:test'
import { LogType } from '@tollgate/contract'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* A vendor that reports an early count before it has written anything, and none at the end. Every token costs 1. */

const INPUT = 7
const WORDS = 400
/** Each is four bytes, which count as one token. */
const WORD = ' sea'
const words = <T>(event: T) => Array.from({ length: WORDS }, () => event)

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [], usage: null }
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const chat = (delta: object, more: object = {}) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  ...{ choices: [{ index: 0, delta, finish_reason: null }], ...more },
})
const gemini = (candidate: object, more: object = {}) => ({ candidates: [{ index: 0, ...candidate }], ...more })
const text = (value: string) => ({ content: { role: 'model', parts: [{ text: value }] } })

/** By the end of the vendor's path. */
const EVENTS: [string, object[]][] = [
  [
    '/chat/completions',
    [
      chat({ role: 'assistant' }, { usage: { prompt_tokens: INPUT, completion_tokens: 1, total_tokens: INPUT + 1 } }),
      ...words(chat({ content: WORD })),
      { ...chat({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ],
  ],
  [
    '/responses',
    [
      { type: 'response.created', response: { ...response, usage: { input_tokens: INPUT, output_tokens: 1 } } },
      { type: 'response.output_item.added', output_index: 0, item },
      ...words({
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta: WORD,
      }),
      { type: 'response.completed', response: { ...response, status: 'completed' } },
    ],
  ],
  [
    '/messages',
    [
      { type: 'message_start', message },
      { type: 'message_delta', delta: {}, usage: { input_tokens: INPUT, output_tokens: 1 } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...words({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORD } }),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ],
  ],
  [
    ':streamGenerateContent?alt=sse',
    [
      gemini(text(''), { usageMetadata: { promptTokenCount: INPUT, candidatesTokenCount: 1 } }),
      ...words(gemini(text(WORD))),
      gemini({ finishReason: 'STOP' }),
    ],
  ],
]

const framed = (events: readonly object[]) =>
  events.map((event) => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)

const answered = (frames: readonly string[]) => {
  const body = new ReadableStream({
    start(controller) {
      for (const frame of frames) controller.enqueue(new TextEncoder().encode(frame))
      controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

const framesFor = (path: string) => framed(EVENTS.find(([end]) => path.endsWith(end))?.[1] ?? [])

const contents = [{ role: 'user', parts: [{ text: 'Hello there' }] }]
const SURFACES: [string, string, object][] = [
  ['chat', '/v1/chat/completions', { model: 'm', stream: true, messages: MESSAGES }],
  ['responses', '/v1/responses', { model: 'm', stream: true, store: false, input: 'Hello there' }],
  ['messages', '/v1/messages', { model: 'm', stream: true, max_tokens: 900, messages: MESSAGES }],
  ['gemini', '/v1beta/models/m:streamGenerateContent?alt=sse', { contents }],
]
const VENDORS: [string, number][] = [
  ['OpenAI', 1],
  ['Anthropic', 14],
  ['Gemini', 24],
]
const MATRIX = SURFACES.flatMap(([surface, path, body]) =>
  VENDORS.map(([vendor, type]) => ({ surface, vendor, path, body, type })),
)

async function fixtureOf(type: number, frames: (path: string) => readonly string[]) {
  const vendor = fakeVendor(({ path }) => answered(frames(path)))
  const relay = await relayFixture({ options: { ModelRatio: '{"m":1}', CompletionRatio: '{"m":1}' } })
  await relay.channel('m', { type, base_url: vendor.url, key: 'k' })
  return relay
}

test.each(MATRIX)(
  'usage reported before the answer never counts less than was delivered ($surface from $vendor)',
  async ({ path, body, type }) => {
    for (const inOnePiece of [false, true]) {
      const { post, charges, onlyLog, app } = await fixtureOf(type, (asked) =>
        inOnePiece ? [framesFor(asked).join('')] : framesFor(asked),
      )
      const answerText = await (await post(path, body)).text()
      expect(answerText.split(WORD).length).toBeGreaterThan(WORDS)
      expect(await charges()).toMatchObject([{ delta: -(INPUT + WORDS) }])
      expect((await onlyLog()).detail).toMatchObject({ usage: { input: INPUT, output: WORDS }, source: 'estimated' })
      expect(await app.audit()).toEqual([])
    }
  },
)

/** The input of the early report, and whether the stream ends or is broken off. */
const withInput = (path: string, input: number, isWhole: boolean) => {
  const frames = framesFor(path).map((frame) => frame.replaceAll(`:${INPUT},"`, `:${input},"`))
  return isWhole ? frames : frames.slice(0, -2)
}

test.each(MATRIX)(
  'impossible input that is reported before the answer is not charged ($surface from $vendor)',
  async ({ path, body, type }) => {
    for (const input of [50_000_000, 9_000_000_000_000_000]) {
      for (const isWhole of [true, false]) {
        const { post, charges, onlyLog, app } = await fixtureOf(type, (asked) => withInput(asked, input, isWhole))
        await (await post(path, body)).text()
        const [charge] = await charges()
        expect(-(charge?.delta ?? 0)).toBeWithin(WORDS, WORDS + 100)
        expect((await onlyLog()).detail).toMatchObject({ source: 'usage_anomaly' })
        expect(await app.audit()).toEqual([])
      }
    }
  },
)

/** The true count, and after it a lower one. */
const TWICE: Record<string, (output: number) => object> = {
  '/chat/completions': (output) => ({
    ...{ ...chat({}), choices: [] },
    usage: { prompt_tokens: INPUT, completion_tokens: output, total_tokens: INPUT + output },
  }),
  '/messages': (output) => ({
    type: 'message_delta',
    delta: {},
    usage: { input_tokens: INPUT, output_tokens: output },
  }),
  ':streamGenerateContent?alt=sse': (output) =>
    gemini({}, { usageMetadata: { promptTokenCount: INPUT, candidatesTokenCount: output } }),
}

test.each(MATRIX.filter(({ surface, vendor }) => surface !== 'responses' || vendor !== 'OpenAI'))(
  'of two reports at the end the lower one is no later state ($surface from $vendor)',
  async ({ path, body, type }) => {
    const { post, charges, app } = await fixtureOf(type, (asked) => {
      const report = Object.entries(TWICE).find(([end]) => asked.endsWith(end))?.[1]
      if (report === undefined) throw new Error(asked)
      const frames = framesFor(asked)
      const last = asked.endsWith('/messages') ? frames.splice(-1) : []
      return [...frames, ...framed([report(WORDS + 9), report(3)]), ...last]
    })
    await (await post(path, body)).text()
    expect(await charges()).toMatchObject([{ delta: -(INPUT + WORDS + 9) }])
    expect(await app.audit()).toEqual([])
  },
)

const NO_ANSWERS: [string, string[]][] = [
  ['[DONE] alone', ['data: [DONE]\n\n']],
  ['garbage', ['data: %PDF-1.7 \u0001\n\n', 'data: }{\n\n']],
  ['garbage and [DONE]', ['data: }{\n\n', 'data: [DONE]\n\n']],
  ['lines that are no events', ['Lorem ipsum\n', 'dolor sit amet\n']],
]

test.each(MATRIX)(
  'a stream without an answer is a failure of the vendor and costs nothing ($surface from $vendor)',
  async ({ path, body, type }) => {
    for (const [name, frames] of NO_ANSWERS) {
      const { post, charges, onlyLog, app } = await fixtureOf(type, () => frames)
      const answerText = await (await post(path, body)).text()
      expect({ name, answerText }).toEqual({ name, answerText: expect.stringMatching(/error|failed/) })
      expect({ name, charges: await charges() }).toEqual({ name, charges: [] })
      expect({ name, type: (await onlyLog()).type }).toEqual({ name, type: LogType.failed })
      expect(await app.audit()).toEqual([])
    }
  },
)

test.each(['/v1/chat/completions', '/v1/messages'])(
  'input and output that a vendor reports apart are both charged, and both shown: %s',
  async (path) => {
    const { channel, post, onlyLog, app } = await relayFixture({ options: { DefaultModelRatio: 1 } })
    const chunks = [
      chat({ role: 'assistant', content: 'Sea' }, { usage: { prompt_tokens: 20, completion_tokens: null } }),
      { ...chat({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...chat({}), choices: [], usage: { completion_tokens: 9, prompt_tokens: null } },
    ]
    const frames = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
    const vendor = fakeVendor(
      () => new Response(`${frames}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } }),
    )
    await channel('m', { base_url: vendor.url })
    const answer = await post(path, { model: 'm', max_tokens: 64, messages: MESSAGES, stream: true })
    const text = await answer.text()
    if (path === '/v1/messages') expect(text).toContain('"input_tokens":20,')
    if (path === '/v1/messages') expect(text).toContain('"output_tokens":9')
    expect(await onlyLog()).toMatchObject({ prompt_tokens: 20, completion_tokens: 9, quota: 29 })
    expect(await app.audit()).toEqual([])
  },
)
