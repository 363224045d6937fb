import { expect, test } from 'bun:test'
import { adapterSuite } from '../testing/adapter-suite.ts'
import {
  anAccess,
  CONVERSATION,
  contentOf,
  decodeStream,
  ENCODE_CONTEXT,
  encoded,
  expectPrefixes,
  failureFrom,
  fixturesOf,
  offered,
  WEATHER,
  withBody,
} from '../testing/vendor-kit.ts'
import { replicate } from './replicate.ts'

const chat = offered(replicate, 'chat')
const images = offered(replicate, 'images')
const recorded = fixturesOf(import.meta.url)
const REPLICATE = { baseUrl: 'https://api.replicate.com' }
const access = anAccess(REPLICATE)

test('a conversation is one text with a cue, and only requested parameters are sent', async () => {
  const { url, headers, body } = await encoded(
    chat,
    { model: 'meta/meta-llama-3-8b-instruct', messages: CONVERSATION.slice(0, 4), maxTokens: 50, stop: ['a', 'b'] },
    REPLICATE,
  )
  expect(url).toBe('https://api.replicate.com/v1/models/meta/meta-llama-3-8b-instruct/predictions')
  expect(headers).toEqual({ 'content-type': 'application/json', authorization: 'Bearer the-key', prefer: 'wait' })
  expect(body).toEqual({
    input: {
      prompt: 'User: Weather in Paris?\nAssistant: Let me look.\nAssistant:',
      system_prompt: 'Be brief.\n\nUse tools.',
      max_tokens: 50,
      stop_sequences: 'a,b',
    },
  })
})

test('a version is run by its hash, and a channel’s old base URL still works', async () => {
  const { url, body } = await encoded(
    chat,
    { model: 'owner/name:abc123', stream: true },
    { baseUrl: 'https://api.replicate.com/v1/models' },
  )
  expect(url).toBe('https://api.replicate.com/v1/predictions')
  expect(body).toEqual({ version: 'abc123', stream: true, input: { prompt: 'Hello' } })
})

test('unsupported features are refused by name', async () => {
  expect(await failureFrom(() => encoded(chat, { tools: [WEATHER] }))).toMatchObject({ param: 'tools' })
})

test('a prediction is followed to its stream, or polled until it has ended', () => {
  const started = recorded.json('started')
  expect(chat.task?.next(started, access, true)).toEqual({
    method: 'GET',
    url: 'https://stream.replicate.com/v1/files/bcwr-abc',
    headers: { authorization: 'Bearer the-key', accept: 'text/event-stream', 'cache-control': 'no-store' },
  })
  expect(chat.task?.next(started, access, false)).toEqual({
    method: 'GET',
    url: 'https://api.replicate.com/v1/predictions/rp1xyz',
    headers: { authorization: 'Bearer the-key' },
  })
  expect(chat.task?.next(recorded.json('succeeded'), access, false)).toBeUndefined()
})

test('a stream is followed to any host of the vendor', () => {
  const stream = 'https://streaming-api.svc.us.c.replicate.net/v1/streams/abc'
  expect(chat.task?.next({ id: 'x', status: 'starting', urls: { stream } }, access, true)?.url).toBe(stream)
})

test('a stream on another host is not followed', async () => {
  const elsewhere = { id: 'x', status: 'starting', urls: { stream: 'https://evil.example/stream.replicate.com' } }
  expect(await failureFrom(() => chat.task?.next(elsewhere, access, true))).toMatchObject({ class: 'server' })
})

test('a successful prediction is text and usage', () => {
  expect(contentOf(chat.decode(recorded.json('succeeded')))).toMatchObject({
    usage: { input: 13, output: 6 },
    choices: [{ finish: 'stop', blocks: [{ type: 'text', text: 'Good morning,\nAda.' }] }],
  })
})

test('streamed and whole answers have the same text', () => {
  const events = recorded.sse('text')
  expect(contentOf(decodeStream(chat, events)).choices).toEqual(
    contentOf(chat.decode(recorded.json('succeeded'))).choices,
  )
  expectPrefixes(chat, events)
})

test('a prediction that failed is a failure, whole and streamed', async () => {
  const failed = { id: 'x', status: 'failed', error: 'CUDA out of memory' }
  expect(await failureFrom(() => chat.decode(failed))).toMatchObject({ class: 'server', message: 'CUDA out of memory' })
  const error = { event: 'error', data: '{"detail":"An unexpected error occurred"}' }
  expect(await failureFrom(() => decodeStream(chat, [error]))).toMatchObject({
    message: 'An unexpected error occurred',
  })
  const canceled = { event: 'done', data: '{"reason":"canceled"}' }
  expect(await failureFrom(() => decodeStream(chat, [canceled]))).toMatchObject({ code: 'canceled' })
})

test('images have an aspect ratio, and are returned as URLs', async () => {
  const order = { model: 'black-forest-labs/flux-schnell', prompt: 'a cat', n: 2, size: '1792x1024', extra: {} }
  const { body } = await withBody(images.encode(order, access, ENCODE_CONTEXT))
  expect(body.input).toEqual({ prompt: 'a cat', aspect_ratio: '16:9', num_outputs: 2 })
  const done = { id: 'x', status: 'succeeded', output: ['https://replicate.delivery/1.webp'] }
  expect(images.decode(done).images).toEqual([{ url: 'https://replicate.delivery/1.webp' }])
  expect(images.decode({ ...done, output: 'https://replicate.delivery/2.webp' }).images).toHaveLength(1)
})

test('images to be edited use the model’s own field name', async () => {
  const png = { mimeType: 'image/png', base64: 'iVBORw0KGgo=' }
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const input = async (model: string, pictures: (typeof png)[]) => {
    const { body } = await withBody(
      images.encode({ model, prompt: 'a hat', n: 1, pictures, extra: {} }, access, ENCODE_CONTEXT),
    )
    return body.input
  }
  expect(await input('black-forest-labs/flux-kontext-pro', [png])).toEqual({ prompt: 'a hat', input_image: url })
  expect(await input('google/nano-banana', [png, png])).toEqual({ prompt: 'a hat', image_input: [url, url] })
  expect(await input('qwen/qwen-image-edit:abc123', [png])).toEqual({ prompt: 'a hat', image: url })
  expect(await failureFrom(() => input('black-forest-labs/flux-kontext-pro', [png, png]))).toMatchObject({
    status: 400,
    param: 'image',
  })
  const edits = ['bytedance/seedream-4', 'bytedance/seededit-3.0', 'black-forest-labs/flux-schnell', 'qwen/qwen-image']
  expect(edits.map((model) => images.edits?.(model))).toEqual([true, true, false, false])
})

test('its errors show the detail', () => {
  const body = '{"title":"Insufficient credit","detail":"You have insufficient credit","status":402}'
  expect(replicate.explain(402, body, new Headers())).toMatchObject({
    class: 'quota',
    message: 'You have insufficient credit',
  })
})

adapterSuite({
  name: 'replicate',
  chat,
  // A stream reports no tokens.
  answers: { text: { events: recorded.sse('text') } },
  silent: [
    { event: 'logs', data: 'warming up' },
    { event: 'output', data: '' },
  ],
  failure: { event: 'error', data: '{"detail":"broken"}' },
})
