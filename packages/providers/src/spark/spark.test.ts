import { expect, test } from 'bun:test'
import { adapterSuite } from '../testing/adapter-suite.ts'
import {
  CONVERSATION,
  contentOf,
  decodeStream,
  encoded,
  failureFrom,
  fixturesOf,
  offered,
  PICTURE,
  WEATHER,
} from '../testing/vendor-kit.ts'
import { spark } from './spark.ts'

const chat = offered(spark, 'chat')
const recorded = fixturesOf(import.meta.url)
const KEY = { key: '12345|api-secret|api-key', baseUrl: 'wss://spark-api.xf-yun.com' }

test('the first message contains the whole conversation, and the URL is signed', async () => {
  const { url, body } = await encoded(
    chat,
    {
      model: 'Spark-Max',
      messages: CONVERSATION,
      tools: [WEATHER],
      temperature: 0.4,
      topK: 4,
      maxTokens: 99,
      user: 'ada',
    },
    KEY,
  )
  expect(url).toStartWith('wss://spark-api.xf-yun.com/v3.5/chat?authorization=')
  expect(body).toEqual({
    header: { app_id: '12345', uid: 'ada' },
    parameter: { chat: { domain: 'generalv3.5', temperature: 0.4, top_k: 4, max_tokens: 99 } },
    payload: {
      message: {
        text: [
          { role: 'system', content: 'Be brief.\n\nUse tools.' },
          { role: 'user', content: 'Weather in Paris?' },
          { role: 'assistant', content: 'Let me look.\nweather({"city":"Paris"})' },
          { role: 'user', content: '{"celsius":21}' },
        ],
      },
      functions: { text: [WEATHER] },
    },
  })
})

test.each([
  ['Spark-Lite', '', '/v1.1/chat', 'lite'],
  ['Spark-Pro-128K', '', '/chat/pro-128k', 'pro-128k'],
  ['Spark-4.0-Ultra', '', '/v4.0/chat', '4.0Ultra'],
  ['SparkDesk-v2.1', 'v3.5', '/v2.1/chat', 'generalv2'],
  ['SparkDesk', '', '/v1.1/chat', 'lite'],
  ['SparkDesk', 'v3.1', '/v3.1/chat', 'generalv3'],
  ['Spark-X1', '', '/v1/x1', 'x1'],
])('%s with the setting %p uses %s', async (model, other, path, domain) => {
  const { url, body } = await encoded(chat, { model }, { ...KEY, other })
  expect(new URL(url).pathname).toBe(path)
  expect(body.parameter.chat.domain).toBe(domain)
})

test('a model that Spark does not have is refused', async () => {
  expect(await failureFrom(() => encoded(chat, { model: 'gpt-4' }, KEY))).toMatchObject({
    status: 404,
    code: 'model_not_found',
  })
})

test('a channel with an http address uses a socket', async () => {
  const { url } = await encoded(chat, { model: 'Spark-Max' }, { ...KEY, baseUrl: 'http://127.0.0.1:9000' })
  expect(url).toStartWith('ws://127.0.0.1:9000/v3.5/chat?')
})

test.each(['api-secret|api-key', '12345', '1|2|3|4'])('a malformed key is refused: %p', async (key) => {
  expect(await failureFrom(() => encoded(chat, { model: 'Spark-Max' }, { ...KEY, key }))).toMatchObject({
    class: 'auth',
    message: expect.stringContaining('APPID|APISecret|APIKey'),
  })
})

test('unsupported features are refused by name', async () => {
  const refused = async (request: Parameters<typeof encoded>[1]) =>
    (await failureFrom(() => encoded(chat, { model: 'Spark-Lite', ...request }, KEY))).param
  expect(await refused({ tools: [WEATHER] })).toBe('tools')
  expect(await refused({ messages: [{ role: 'user', content: [PICTURE] }] })).toBe('image_url')
  expect(await refused({ stop: ['x'] })).toBe('stop')
})

test('an answer is reasoning, text, a finish reason and usage', () => {
  expect(decodeStream(chat, recorded.lines('text'))).toEqual([
    { type: 'start', id: 'cht000b1a2@dx1', model: '' },
    { type: 'reasoning', choice: 0, text: '问候。' },
    { type: 'text', choice: 0, text: '早上好' },
    { type: 'text', choice: 0, text: '，艾达' },
    { type: 'text', choice: 0, text: '。' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage: { input: 19, output: 11 } },
  ])
})

test('a function call is a tool call', () => {
  const [choice] = contentOf(decodeStream(chat, recorded.lines('tools'))).choices
  expect(choice).toMatchObject({
    finish: 'tool_calls',
    blocks: [{ type: 'tool-call', call: 0, id: 'id', name: 'weather', arguments: '{"city":"奥斯陆"}' }],
  })
})

test('a code that is not 0 is a failure of the right class', async () => {
  expect(await failureFrom(() => chat.decode(recorded.json('error')))).toMatchObject({
    class: 'client',
    code: '10013',
    message: expect.stringContaining('审核不通过'),
  })
  const classFor = async (code: number) =>
    (await failureFrom(() => chat.decode({ header: { code, message: 'no', sid: 's' } }))).class
  expect(await classFor(11200)).toBe('auth')
  expect(await classFor(11201)).toBe('quota')
  expect(await classFor(11202)).toBe('rate')
  expect(await classFor(10012)).toBe('server')
})

test('a refused handshake is explained', () => {
  const body = '{"message":"HMAC signature does not match"}'
  expect(spark.explain(401, body, new Headers())).toMatchObject({
    class: 'auth',
    message: 'HMAC signature does not match',
  })
})

const answer = (name: string) => ({
  whole: recorded.lines(name).map(({ data }) => JSON.parse(data)),
  events: recorded.lines(name),
  tokens: { input: 19, output: 11 },
})
const frame = (body: object, code = 0) => ({
  event: '',
  data: JSON.stringify({ header: { code, message: 'x', sid: 's' }, ...body }),
})

adapterSuite({
  name: 'spark',
  chat,
  answers: { text: answer('text'), tools: answer('tools') },
  silent: [frame({}), frame({ payload: { plugins: { text: [] } } })],
  failure: frame({}, 10012),
  // A call arrives in one piece.
  call: (pieces) => [
    frame({ payload: { choices: { text: [{ function_call: { name: 'f', arguments: pieces.join('') } }] } } }),
  ],
})
