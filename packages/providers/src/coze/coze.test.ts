import { expect, test } from 'bun:test'
import { adapterSuite } from '../testing/adapter-suite.ts'
import {
  CONVERSATION,
  contentOf,
  decodeStream,
  encoded,
  expectPrefixes,
  failureFrom,
  fixturesOf,
  offered,
  PICTURE,
  WEATHER,
} from '../testing/vendor-kit.ts'
import { coze } from './coze.ts'

const chat = offered(coze, 'chat')
const recorded = fixturesOf(import.meta.url)
const CHANNEL = { config: { user_id: 'tollgate' } }

test('a bot is called by its id, with the two roles it knows', async () => {
  const { url, headers, body } = await encoded(chat, { model: 'bot-74001', messages: CONVERSATION.slice(1) }, CHANNEL)
  expect(url).toBe('https://vendor.example/v3/chat')
  expect(headers.authorization).toBe('Bearer the-key')
  expect(body).toEqual({
    bot_id: '74001',
    user_id: 'tollgate',
    stream: true,
    auto_save_history: false,
    additional_messages: [
      { role: 'user', type: 'question', content_type: 'text', content: 'Use tools.' },
      { role: 'user', type: 'question', content_type: 'text', content: 'Weather in Paris?' },
      { role: 'assistant', type: 'answer', content_type: 'text', content: 'Let me look.' },
      { role: 'user', type: 'question', content_type: 'text', content: '{"celsius":21}' },
    ],
  })
})

test('images and files are sent by URL', async () => {
  const content = [
    { type: 'text' as const, text: 'Compare' },
    { type: 'image' as const, source: { url: 'https://pictures.example/cat.png' } },
    { type: 'file' as const, source: { id: 'f-1' } },
  ]
  const { body } = await encoded(chat, { messages: [{ role: 'user', content }] }, CHANNEL)
  const [message] = body.additional_messages
  expect(message.content_type).toBe('object_string')
  expect(JSON.parse(message.content)).toEqual([
    { type: 'text', text: 'Compare' },
    { type: 'image', file_url: 'https://pictures.example/cat.png' },
    { type: 'file', file_id: 'f-1' },
  ])
})

test('an image as data is refused by name', async () => {
  const messages = [{ role: 'user' as const, content: [PICTURE] }]
  expect(await failureFrom(() => encoded(chat, { messages }, CHANNEL))).toMatchObject({ param: 'image_url' })
})

test('tools are the bot’s own', async () => {
  expect(await failureFrom(() => encoded(chat, { tools: [WEATHER] }, CHANNEL))).toMatchObject({ param: 'tools' })
})

test('a channel without a user id reports it', async () => {
  expect(await failureFrom(() => encoded(chat))).toMatchObject({ blame: 'channel', code: 'missing_user_id' })
})

test('an answer contains what the bot said, not its intermediate steps', () => {
  expect(decodeStream(chat, recorded.sse('text'))).toEqual([
    { type: 'start', id: '75011', model: '' },
    { type: 'reasoning', choice: 0, text: 'A greeting.' },
    { type: 'text', choice: 0, text: 'Good morning,' },
    { type: 'text', choice: 0, text: ' Ada.' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage: { input: 614, output: 19 } },
  ])
  expectPrefixes(chat, recorded.sse('text'))
})

test('a bot that failed reports why', async () => {
  expect(await failureFrom(() => decodeStream(chat, recorded.sse('failed')))).toMatchObject({
    class: 'quota',
    code: '4011',
    message: 'Your account has run out of credit',
  })
})

test('an error event, and a refusal in place of a stream, are failures', async () => {
  const event = { event: 'error', data: '{"code":4013,"msg":"too fast"}' }
  expect(await failureFrom(() => decodeStream(chat, [event]))).toMatchObject({ class: 'rate', message: 'too fast' })
  const body = { code: 4100, msg: 'authentication is invalid', detail: { logid: 'x' } }
  expect(await failureFrom(() => chat.decode(body))).toMatchObject({ class: 'auth' })
  expect(await failureFrom(() => chat.decode({ code: 0 }))).toMatchObject({ class: 'server' })
})

test('a bot that waits for a plugin of the caller cannot be served', async () => {
  const event = { event: 'conversation.chat.requires_action', data: '{"id":"1"}' }
  expect(await failureFrom(() => decodeStream(chat, [event]))).toMatchObject({ class: 'client' })
})

test('an answer of a thousand deltas is complete', () => {
  const [, , , , , delta] = recorded.sse('text')
  if (delta === undefined) throw new Error('the recording has a delta')
  const parts = decodeStream(
    chat,
    Array.from({ length: 1000 }, () => delta),
  )
  expect(contentOf(parts).choices[0]?.blocks).toEqual([{ type: 'text', text: 'Good morning,'.repeat(1000) }])
})

test('a refusal with a status is explained by its code', () => {
  const explained = coze.explain(401, '{"code":700012006,"msg":"access token invalid"}', new Headers())
  expect(explained).toMatchObject({ class: 'auth', message: 'access token invalid' })
})

adapterSuite({
  name: 'coze',
  chat,
  answers: { text: { events: recorded.sse('text'), tokens: { input: 614, output: 19 } } },
  silent: [
    { event: 'conversation.audio.delta', data: 'not json' },
    { event: 'conversation.message.delta', data: '{"type":"answer","content":""}' },
  ],
  failure: { event: 'error', data: '{"code":5000,"msg":"internal"}' },
})
