import { expect, test } from 'bun:test'
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
  withBody,
} from '../testing/vendor-kit.ts'
import { baidu } from './baidu.ts'

const chat = offered(baidu, 'chat')
const embeddings = offered(baidu, 'embeddings')
const exchange = offered(baidu, 'exchange')
const recorded = fixturesOf(import.meta.url)

test('the key pair is exchanged for a token', async () => {
  const access = anAccess({ baseUrl: 'https://aip.baidubce.com', key: 'api key|secret&key' })
  const { method, url } = await exchange.request(access, ENCODE_CONTEXT.nowMs)
  expect(method).toBe('POST')
  expect(url).toBe(
    'https://aip.baidubce.com/oauth/2.0/token?grant_type=client_credentials&client_id=api+key&client_secret=secret%26key',
  )
  expect(exchange.read({ access_token: '24.abc', expires_in: 2_592_000, scope: 'public' })).toEqual({
    token: '24.abc',
    expiresInSec: 2_592_000,
  })
})

test('an unknown key pair is the channel’s fault', async () => {
  const denied = { error: 'invalid_client', error_description: 'unknown client id' }
  expect(await failureFrom(() => exchange.read(denied))).toMatchObject({ class: 'auth', message: 'unknown client id' })
  expect(baidu.explain(401, JSON.stringify(denied), new Headers())).toMatchObject({ class: 'auth', status: 401 })
})

test.each(['only-one', 'a|b|c', '|b'])('a malformed key is refused: %p', async (key) => {
  expect(await failureFrom(() => exchange.request(anAccess({ key }), 0))).toMatchObject({
    class: 'auth',
    message: expect.stringContaining('APIKey|SecretKey'),
  })
})

test('a conversation with tools is encoded in Wenxin’s format', async () => {
  const { url, headers, body } = await encoded(
    chat,
    {
      model: 'ERNIE-4.0-8K',
      stream: true,
      messages: CONVERSATION,
      tools: [WEATHER],
      toolChoice: { name: 'weather' },
      temperature: 0,
      topP: 0.8,
      frequencyPenalty: 1,
      stop: ['END'],
      maxTokens: 1,
      user: 'ada',
      responseFormat: { type: 'json' },
    },
    { key: '24.the+token' },
  )
  expect(url).toBe(
    'https://vendor.example/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro?access_token=24.the%2Btoken',
  )
  expect(headers).toEqual({ 'content-type': 'application/json' })
  expect(body).toEqual({
    messages: [
      { role: 'user', content: 'Weather in Paris?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        function_call: { name: 'weather', arguments: '{"city":"Paris"}' },
      },
      { role: 'function', name: 'weather', content: '{"celsius":21}' },
    ],
    system: 'Be brief.\n\nUse tools.',
    stream: true,
    temperature: 0.01,
    top_p: 0.8,
    penalty_score: 1.5,
    stop: ['END'],
    max_output_tokens: 2,
    user_id: 'ada',
    response_format: 'json_object',
    functions: [WEATHER],
    tool_choice: { type: 'function', function: { name: 'weather' } },
  })
})

test('several calls of one turn become several turns', async () => {
  const call = (id: string, name: string) => ({ type: 'tool-call' as const, id, name, arguments: '{}' })
  const result = (callId: string) => ({
    role: 'tool' as const,
    callId,
    content: [{ type: 'text' as const, text: callId }],
  })
  const { body } = await encoded(chat, {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Both?' }] },
      { role: 'assistant', content: [call('1', 'weather'), call('2', 'time')] },
      result('2'),
      result('1'),
    ],
  })
  expect(body.messages.map((message: { role: string; name?: string }) => [message.role, message.name])).toEqual([
    ['user', undefined],
    ['assistant', undefined],
    ['function', 'weather'],
    ['assistant', undefined],
    ['function', 'time'],
  ])
})

test.each([
  ['ERNIE-3.5-8K', 'completions'],
  ['ERNIE-Speed-8K', 'ernie_speed'],
  ['ERNIE-Lite-8K-0922', 'eb-instant'],
  ['ERNIE-4.0-Turbo-8K', 'ernie-4.0-turbo-8k'],
  ['../admin', '..%2Fadmin'],
])('%s is at %s', async (model, endpoint) => {
  expect((await encoded(chat, { model })).url).toContain(`/chat/${endpoint}?`)
})

test('an answer is text, sources, a finish reason and usage', () => {
  expect(chat.decode(recorded.json('text'))).toEqual([
    { type: 'start', id: 'as-b1', model: '' },
    { type: 'text', choice: 0, text: '早上好，艾达。' },
    { type: 'citation', choice: 0, url: 'https://people.example/ada', title: 'People' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage: { input: 7, output: 12 } },
  ])
})

test('a call ends the answer with the finish reason for calls', () => {
  expect(contentOf(chat.decode(recorded.json('tools'))).choices[0]).toMatchObject({
    finish: 'tool_calls',
    blocks: [{ type: 'tool-call', call: 0, name: 'weather', arguments: '{"city":"奥斯陆"}' }],
  })
})

test('an answer that is truncated or censored has that finish reason', () => {
  const finish = (more: object) => chat.decode({ id: 'x', result: 'y', ...more }).find(({ type }) => type === 'finish')
  expect(finish({ is_truncated: true })).toMatchObject({ reason: 'length' })
  expect(finish({ finish_reason: 'length' })).toMatchObject({ reason: 'length' })
  expect(finish({ need_clear_history: true })).toMatchObject({ reason: 'content_filter' })
})

test('a refusal with status 200 is a failure of the right class', async () => {
  const refused = async (error_code: number) =>
    (await failureFrom(() => chat.decode({ error_code, error_msg: 'no', id: 'x' }))).class
  expect(await refused(110)).toBe('auth')
  expect(await refused(18)).toBe('rate')
  expect(await refused(17)).toBe('quota')
  expect(await refused(336000)).toBe('server')
  expect(await refused(336003)).toBe('client')
  const event = { event: '', data: '{"error_code":336100,"error_msg":"the server is busy"}' }
  expect(await failureFrom(() => decodeStream(chat, [event]))).toMatchObject({ class: 'rate' })
})

test('texts are embedded, with their usage', async () => {
  const request = await withBody(embeddings.encode({ model: 'bge-large-zh', input: ['a'] }, anAccess(), ENCODE_CONTEXT))
  expect(request.url).toContain('/embeddings/bge_large_zh?access_token=the-key')
  expect(request.body).toEqual({ input: ['a'] })
  const answer = { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 2, total_tokens: 2 } }
  expect(embeddings.decode(answer)).toMatchObject({ vectors: [[1]], usage: { input: 2 } })
})

const answer = (name: string) => ({
  whole: recorded.json(name),
  events: recorded.sse(name),
  tokens: { input: 7, output: 12 },
})
const event = (body: object) => ({ event: '', data: JSON.stringify(body) })

adapterSuite({
  name: 'baidu',
  chat,
  answers: { text: answer('text'), tools: answer('tools') },
  silent: [event({ object: 'ping' }), event({ id: 'as-b1', result: '', is_end: false })],
  failure: event({ error_code: 336000, error_msg: 'Internal error' }),
  // A call arrives in one piece.
  call: (pieces) => [event({ id: 'x', is_end: true, function_call: { name: 'f', arguments: pieces.join('') } })],
})
