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
  PICTURE,
  WEATHER,
  withBody,
} from '../testing/vendor-kit.ts'
import { hunyuan } from './hunyuan.ts'

const chat = offered(hunyuan, 'chat')
const embeddings = offered(hunyuan, 'embeddings')
const recorded = fixturesOf(import.meta.url)
const KEY = { key: '1250000000|AKIDexample|secret', baseUrl: 'https://hunyuan.tencentcloudapi.com' }

test('a conversation with tools is encoded with capitalised names, and signed', async () => {
  const { url, headers, body } = await encoded(
    chat,
    {
      model: 'hunyuan-turbos-latest',
      stream: true,
      messages: CONVERSATION,
      tools: [WEATHER],
      toolChoice: { name: 'weather' },
      temperature: 0.3,
      topP: 0.9,
      stop: ['END'],
      seed: 7,
      maxTokens: 100,
    },
    KEY,
  )
  const tool = {
    Type: 'function',
    Function: { Name: 'weather', Description: WEATHER.description, Parameters: JSON.stringify(WEATHER.parameters) },
  }
  expect(url).toBe('https://hunyuan.tencentcloudapi.com/')
  expect(headers).toEqual({
    authorization: expect.stringMatching(
      /^TC3-HMAC-SHA256 Credential=AKIDexample\/2026-01-01\/hunyuan\/tc3_request, .*Signature=[0-9a-f]{64}$/,
    ),
    'content-type': 'application/json; charset=utf-8',
    'x-tc-action': 'ChatCompletions',
    'x-tc-version': '2023-09-01',
    'x-tc-timestamp': '1767225600',
  })
  expect(body).toEqual({
    Model: 'hunyuan-turbos-latest',
    Stream: true,
    Messages: [
      { Role: 'system', Content: 'Be brief.\n\nUse tools.' },
      { Role: 'user', Content: 'Weather in Paris?' },
      {
        Role: 'assistant',
        Content: 'Let me look.',
        ToolCalls: [
          {
            Id: 'call_1',
            Type: 'function',
            Index: 0,
            Function: { Name: 'weather', Arguments: '{"city":"Paris"}' },
          },
        ],
      },
      { Role: 'tool', ToolCallId: 'call_1', Content: '{"celsius":21}' },
    ],
    Temperature: 0.3,
    TopP: 0.9,
    Stop: ['END'],
    Seed: 7,
    Tools: [tool],
    ToolChoice: 'custom',
    CustomTool: tool,
  })
})

test('images are separate contents, and neighbouring messages of one role are one turn', async () => {
  const messages = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'What' }] },
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'is it?' }, PICTURE] },
  ]
  const { body } = await encoded(chat, { messages }, KEY)
  expect(body.Messages).toEqual([
    {
      Role: 'user',
      Contents: [
        { Type: 'text', Text: 'What' },
        { Type: 'text', Text: 'is it?' },
        { Type: 'image_url', ImageUrl: { Url: 'data:image/png;base64,iVBORw0KGgo=' } },
      ],
    },
  ])
})

test('a seed out of range is left out', async () => {
  expect((await encoded(chat, { seed: 123_456 }, KEY)).body.Seed).toBeUndefined()
})

test.each(['AKID|secret', 'a|b|c|d', '', '1250000000||secret'])('a malformed key is refused: %p', async (key) => {
  const failure = await failureFrom(() => encoded(chat, {}, { ...KEY, key }))
  expect(failure).toMatchObject({ class: 'auth', blame: 'channel', code: 'malformed_key' })
  expect(failure.message).toContain('AppId|SecretId|SecretKey')
  expect(failure.message).not.toContain('secret|')
})

test('unsupported features are refused by name', async () => {
  const refused = async (request: Parameters<typeof encoded>[1]) =>
    (await failureFrom(() => encoded(chat, request, KEY))).param
  expect(await refused({ n: 2 })).toBe('n')
  expect(await refused({ responseFormat: { type: 'json' } })).toBe('response_format')
})

test('an answer is reasoning, text, a finish reason and usage', () => {
  expect(chat.decode(recorded.json('text'))).toEqual([
    { type: 'start', id: 'h-1', model: '' },
    { type: 'reasoning', choice: 0, text: '用户在问候。' },
    { type: 'text', choice: 0, text: '你好，艾达。' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage: expect.objectContaining({ input: 14, output: 22 }) },
  ])
})

test('calls are distinguished by their ids', () => {
  const [choice] = contentOf(decodeStream(chat, recorded.sse('tools'))).choices
  expect(choice?.blocks).toEqual([
    { type: 'text', text: '我来查一下。' },
    { type: 'tool-call', call: 0, id: 'id', name: 'weather', arguments: '{"city":"奥斯陆"}' },
    { type: 'tool-call', call: 1, id: 'id', name: 'time', arguments: '{}' },
  ])
})

test('a censored answer ends as filtered', () => {
  const body = { Id: 'h', Choices: [{ Index: 0, Delta: { Content: 'x' }, FinishReason: 'sensitive' }] }
  expect(decodeStream(chat, [{ event: '', data: JSON.stringify(body) }])).toContainEqual({
    type: 'finish',
    choice: 0,
    reason: 'content_filter',
  })
})

test('a refusal with status 200 is a failure of the right class', async () => {
  const refused = async (Code: string) =>
    (await failureFrom(() => chat.decode({ Response: { Error: { Code, Message: 'no' }, RequestId: 'r' } }))).class
  expect(await refused('AuthFailure.SignatureFailure')).toBe('auth')
  expect(await refused('RequestLimitExceeded')).toBe('rate')
  expect(await refused('FailedOperation.ResourcePackExhausted')).toBe('quota')
  expect(await refused('InternalError')).toBe('server')
  expect(await refused('InvalidParameterValue.Model')).toBe('client')
})

test('a stream that breaks reports why', async () => {
  const events = [...recorded.sse('text').slice(0, 2), { event: '', data: '{"ErrorMsg":{"Code":4001,"Msg":"超时"}}' }]
  expect(await failureFrom(() => decodeStream(chat, events))).toMatchObject({ class: 'timeout', message: '超时' })
})

test('texts are embedded in one signed call', async () => {
  const request = await withBody(
    embeddings.encode({ model: 'hunyuan-embedding', input: ['a', 'b'] }, anAccess(KEY), ENCODE_CONTEXT),
  )
  expect(request.headers['x-tc-action']).toBe('GetEmbedding')
  expect(request.body).toEqual({ InputList: ['a', 'b'] })
  const answer = {
    Response: {
      Data: [{ Embedding: [1], Index: 0, Object: 'embedding' }],
      Usage: { PromptTokens: 3, TotalTokens: 3 },
      RequestId: 'r',
    },
  }
  expect(embeddings.decode(answer)).toMatchObject({ vectors: [[1]], usage: { input: 3 } })
})

const answer = (name: string, tokens: { input: number; output: number }) => ({
  whole: recorded.json(name),
  events: recorded.sse(name),
  tokens,
})
const event = (body: object) => ({ event: '', data: JSON.stringify(body) })
const called = (piece: object) =>
  event({
    Id: 'h',
    Choices: [{ Index: 0, Delta: { Content: '', ToolCalls: [{ Id: 'c', Index: 0, Function: piece }] } }],
  })

adapterSuite({
  name: 'hunyuan',
  chat,
  answers: { text: answer('text', { input: 14, output: 22 }), tools: answer('tools', { input: 90, output: 30 }) },
  silent: [event({ Note: 'x', Choices: [] }), event({ Processes: { State: 'plan' } })],
  failure: event({ ErrorMsg: { Code: 4000, Msg: 'broken' } }),
  call: (pieces) => pieces.map((piece) => called({ Name: 'f', Arguments: piece })),
})
