import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { adapterSuite } from '../testing/adapter-suite.ts'
import {
  anAccess,
  CONVERSATION,
  contentOf,
  decodeStream,
  ENCODE_CONTEXT,
  encoded,
  failureFrom,
  fixturesOf,
  offered,
  WEATHER,
} from '../testing/vendor-kit.ts'
import { zhipu } from './zhipu.ts'

const chat = offered(zhipu, 'chat')
const openai = offered(zhipu, 'openai')
const recorded = fixturesOf(import.meta.url)
const mint = (key: string) => {
  if (zhipu.mint === undefined) throw new Error('Zhipu mints its tokens')
  return zhipu.mint(anAccess({ key }), ENCODE_CONTEXT.nowMs)
}

test('the token is signed by the secret, with times in milliseconds', async () => {
  const { token, expiresInSec } = await mint('the-id.the-secret')
  const [header = '', payload = '', signature] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(read(header)).toEqual({ alg: 'HS256', sign_type: 'SIGN' })
  expect(read(payload)).toEqual({
    api_key: 'the-id',
    timestamp: ENCODE_CONTEXT.nowMs,
    exp: ENCODE_CONTEXT.nowMs + expiresInSec * 1000,
  })
  const expected = createHmac('sha256', 'the-secret').update(`${header}.${payload}`).digest('base64url')
  expect(signature).toBe(expected)
})

test.each(['no-dot', '.secret', 'id.', 'a.b.c', ''])('a malformed key is refused: %p', async (key) => {
  const failure = await failureFrom(() => mint(key))
  expect(failure).toMatchObject({ class: 'auth', blame: 'channel', code: 'malformed_key' })
  expect(failure.message).toContain('id.secret')
})

test('OpenAI’s clients are passed through with the token', () => {
  expect(openai.url('chat/completions', anAccess(), 'glm-4.6')).toBe(
    'https://vendor.example/api/paas/v4/chat/completions',
  )
  expect(openai.url('moderations', anAccess(), 'glm-4.6')).toBeUndefined()
  expect(openai.headers(anAccess({ key: 'a.b.c' }))).toEqual({ authorization: 'Bearer a.b.c' })
})

test('a conversation of another dialect is encoded in GLM’s format', async () => {
  const { url, body } = await encoded(chat, {
    model: 'glm-4.6',
    stream: true,
    messages: CONVERSATION.slice(2),
    tools: [WEATHER],
    temperature: 1.5,
    topP: 0.9,
    seed: 7,
    user: 'ada-lovelace',
    maxTokens: 100,
    reasoning: { effort: 'none' },
  })
  expect(url).toBe('https://vendor.example/api/paas/v4/chat/completions')
  expect(body).toEqual({
    model: 'glm-4.6',
    stream: true,
    messages: [
      { role: 'user', content: 'Weather in Paris?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"celsius":21}' },
    ],
    tools: [{ type: 'function', function: WEATHER }],
    max_tokens: 100,
    temperature: 1,
    top_p: 0.9,
    user_id: 'ada-lovelace',
    thinking: { type: 'disabled' },
  })
})

test('unsupported features are refused by name', async () => {
  const format = { type: 'json_schema' as const, name: 'x', schema: {} }
  expect(await failureFrom(() => encoded(chat, { responseFormat: format }))).toMatchObject({ param: 'response_format' })
})

test('an answer is reasoning, text and separate usage counts', () => {
  const { usage, choices } = contentOf(chat.decode(recorded.json('text')))
  expect(usage).toMatchObject({ input: 10, cachedInput: 8, output: 10, reasoning: 20 })
  expect(choices[0]?.blocks).toEqual([
    { type: 'reasoning', text: '用户在问候。' },
    { type: 'text', text: '早上好，艾达。' },
  ])
})

test('a censored answer ends as filtered, a server error as a failure', async () => {
  const ending = (finish_reason: string) => ({
    id: 'z',
    choices: [{ index: 0, finish_reason, message: { content: 'x' } }],
  })
  expect(chat.decode(ending('sensitive'))).toContainEqual({ type: 'finish', choice: 0, reason: 'content_filter' })
  expect(await failureFrom(() => chat.decode(ending('network_error')))).toMatchObject({ class: 'server' })
})

test('an error is classified by its code, with status 200 and without', async () => {
  const body = { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } }
  expect(await failureFrom(() => chat.decode(body))).toMatchObject({ class: 'quota', code: '1113' })
  const event = { event: '', data: JSON.stringify(body) }
  expect(await failureFrom(() => decodeStream(chat, [event]))).toMatchObject({ class: 'quota' })
  expect(zhipu.explain(429, JSON.stringify(body), new Headers())).toMatchObject({ class: 'quota', blame: 'channel' })
  const busy = { error: { code: '1302', message: '并发数过高' } }
  expect(zhipu.explain(429, JSON.stringify(busy), new Headers())).toMatchObject({ class: 'rate' })
})

const answer = (name: string, tokens: { input: number; output: number }) => ({
  whole: recorded.json(name),
  events: recorded.sse(name),
  tokens,
})
const chunk = (body: object) => ({ event: '', data: JSON.stringify({ id: 'z', ...body }) })
const called = (call: object) => chunk({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] })

adapterSuite({
  name: 'zhipu',
  chat,
  answers: { text: answer('text', { input: 18, output: 48 - 18 }), tools: answer('tools', { input: 150, output: 15 }) },
  silent: [chunk({ choices: [] }), chunk({ web_search: [] })],
  failure: chunk({ error: { code: '1234', message: 'network' } }),
  call: (pieces) => [
    called({ id: 'c', function: { name: 'f', arguments: '' } }),
    ...pieces.map((piece) => called({ function: { arguments: piece } })),
  ],
})
