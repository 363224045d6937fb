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
import { qwen } from './qwen.ts'

const chat = offered(qwen, 'chat')
const embeddings = offered(qwen, 'embeddings')
const images = offered(qwen, 'images')
const recorded = fixturesOf(import.meta.url)

test('a conversation with tools is encoded in DashScope’s format', async () => {
  const { url, headers, body } = await encoded(chat, {
    model: 'qwen-plus',
    stream: true,
    messages: CONVERSATION,
    tools: [WEATHER],
    toolChoice: { name: 'weather' },
    maxTokens: 100,
    temperature: 0.3,
    topP: 1,
    topK: 40,
    stop: ['END'],
    seed: 7,
    responseFormat: { type: 'json' },
    extra: { repetition_penalty: 1.1, metadata: { unknown: true } },
  })
  expect(url).toBe('https://vendor.example/api/v1/services/aigc/text-generation/generation')
  expect(headers).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer the-key',
    accept: 'text/event-stream',
    'x-dashscope-sse': 'enable',
  })
  expect(body).toEqual({
    model: 'qwen-plus',
    input: {
      messages: [
        { role: 'system', content: 'Answer with one valid JSON object and nothing else.\nBe brief.\nUse tools.' },
        { role: 'user', content: 'Weather in Paris?' },
        {
          role: 'assistant',
          content: 'Let me look.',
          tool_calls: [
            { id: 'call_1', type: 'function', index: 0, function: { name: 'weather', arguments: '{"city":"Paris"}' } },
          ],
        },
        { role: 'tool', content: '{"celsius":21}', tool_call_id: 'call_1' },
      ],
    },
    parameters: {
      repetition_penalty: 1.1,
      result_format: 'message',
      incremental_output: true,
      max_tokens: 100,
      temperature: 0.3,
      top_p: 0.9999,
      top_k: 40,
      seed: 7,
      stop: ['END'],
      response_format: { type: 'json_object' },
      tools: [{ type: 'function', function: WEATHER }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
    },
  })
})

test('a channel’s plugin is sent in its header', async () => {
  const { headers } = await encoded(chat, {}, { other: '{"calculator":{}}' })
  expect(headers['x-dashscope-plugin']).toBe('{"calculator":{}}')
  const configured = await encoded(chat, {}, { other: 'old', config: { plugin: 'new' } })
  expect(configured.headers['x-dashscope-plugin']).toBe('new')
})

test('a model that ends in -internet searches', async () => {
  const { body } = await encoded(chat, { model: 'qwen-max-internet' })
  expect(body.model).toBe('qwen-max')
  expect(body.parameters.enable_search).toBe(true)
})

test.each([
  ['qwen-vl-max', true],
  ['qwen3-vl-plus', true],
  ['qwen3.5-plus', true],
  ['qvq-max', true],
  ['qwen3-max', false],
  ['qwen-72b-chat', false],
  ['qwen2.5-coder-32b-instruct', false],
])('%s is served by the multimodal endpoint: %p', async (model, multimodal) => {
  const { url } = await encoded(chat, { model })
  expect(url.includes('/multimodal-generation/')).toBe(multimodal)
})

test('images use the multimodal endpoint, as a list', async () => {
  const { url, body } = await encoded(chat, {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, PICTURE] }],
  })
  expect(url).toBe('https://vendor.example/api/v1/services/aigc/multimodal-generation/generation')
  expect(body.input.messages[0].content).toEqual([
    { text: 'What is it?' },
    { image: 'data:image/png;base64,iVBORw0KGgo=' },
  ])
})

test('thinking is switched, and limited if a number was given', async () => {
  const thinking = async (reasoning: { effort?: string; budgetTokens?: number }) => {
    const { enable_thinking, thinking_budget } = (await encoded(chat, { reasoning })).body.parameters
    return [enable_thinking, thinking_budget]
  }
  expect(await thinking({ effort: 'high' })).toEqual([true, undefined])
  expect(await thinking({ budgetTokens: 900 })).toEqual([true, 900])
  expect(await thinking({ effort: 'none' })).toEqual([false, undefined])
})

test('unsupported features are refused by name', async () => {
  expect(await failureFrom(() => encoded(chat, { frequencyPenalty: 1 }))).toMatchObject({ param: 'frequency_penalty' })
  expect(await failureFrom(() => encoded(chat, { audio: { voice: 'a', format: 'wav' } }))).toMatchObject({
    param: 'audio',
  })
})

test('an answer is reasoning, text, sources and separate usage counts', () => {
  expect(contentOf(chat.decode(recorded.json('text')))).toEqual({
    usage: expect.objectContaining({ input: 16, cachedInput: 10, output: 12, reasoning: 28 }),
    choices: [
      {
        index: 0,
        finish: 'stop',
        logprobs: [],
        citations: [{ url: 'https://people.example/ada', title: 'People' }],
        blocks: [
          { type: 'reasoning', text: '用户在问候。' },
          { type: 'text', text: '早上好，艾达。' },
        ],
      },
    ],
  })
})

test('image tokens are counted as such', () => {
  expect(contentOf(chat.decode(recorded.json('vision'))).usage).toMatchObject({
    input: 21,
    imageInput: 1249,
    output: 4,
  })
})

test('deltas of two calls are two calls', () => {
  const [choice] = contentOf(decodeStream(chat, recorded.sse('tools'))).choices
  expect(choice).toMatchObject({
    finish: 'tool_calls',
    blocks: [
      { type: 'tool-call', call: 0, name: 'weather', arguments: '{"city":"奥斯陆"}' },
      { type: 'tool-call', call: 1, name: 'time', arguments: '{}' },
    ],
  })
})

test('bare text is an answer, too', () => {
  const body = {
    output: { text: 'Hi', finish_reason: 'stop' },
    request_id: 'q',
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  expect(contentOf(chat.decode(body)).choices[0]).toMatchObject({
    finish: 'stop',
    blocks: [{ type: 'text', text: 'Hi' }],
  })
})

test('an error in the stream is a failure', async () => {
  expect(await failureFrom(() => decodeStream(chat, recorded.sse('error')))).toMatchObject({
    class: 'client',
    code: 'DataInspectionFailed',
  })
})

test('the code of a refusal takes precedence over its status', () => {
  const explained = (status: number, code: string) =>
    qwen.explain(status, JSON.stringify({ code, message: 'no', request_id: 'q' }), new Headers()).class
  expect(explained(400, 'Arrearage')).toBe('quota')
  expect(explained(429, 'Throttling.RateQuota')).toBe('rate')
  expect(explained(401, 'InvalidApiKey')).toBe('auth')
  expect(explained(400, 'InvalidParameter')).toBe('client')
})

test('texts are embedded, and the answers sorted', async () => {
  const request = await withBody(
    embeddings.encode({ model: 'text-embedding-v4', input: ['a', 'b'], dimensions: 512 }, anAccess(), ENCODE_CONTEXT),
  )
  expect(request.url).toBe('https://vendor.example/api/v1/services/embeddings/text-embedding/text-embedding')
  expect(request.body).toEqual({
    model: 'text-embedding-v4',
    input: { texts: ['a', 'b'] },
    parameters: { dimension: 512 },
  })
  const answer = {
    output: {
      embeddings: [
        { text_index: 1, embedding: [2] },
        { text_index: 0, embedding: [1] },
      ],
    },
    usage: { total_tokens: 5 },
    request_id: 'q',
  }
  expect(embeddings.decode(answer)).toMatchObject({ vectors: [[1], [2]], usage: { input: 5 } })
})

test('an image task is created, polled, and fetched', async () => {
  const order = { model: 'wanx2.1-t2i-turbo', prompt: 'a cat', n: 2, size: '1024x1024', extra: {} }
  const request = await withBody(images.encode(order, anAccess(), ENCODE_CONTEXT))
  expect(request).toMatchObject({
    url: 'https://vendor.example/api/v1/services/aigc/text2image/image-synthesis',
    headers: { 'x-dashscope-async': 'enable' },
    body: { input: { prompt: 'a cat' }, parameters: { n: 2, size: '1024*1024' } },
  })
  const receipt = { output: { task_id: 't-1', task_status: 'PENDING' }, request_id: 'q' }
  expect(images.task?.next(receipt, anAccess(), false)?.url).toBe('https://vendor.example/api/v1/tasks/t-1')
  const done = {
    output: {
      task_id: 't-1',
      task_status: 'SUCCEEDED',
      results: [
        { url: 'https://oss.example/1.png', actual_prompt: 'one cat' },
        { code: 'InternalError', message: 'x' },
      ],
    },
    usage: { image_count: 1 },
  }
  expect(images.task?.next(done, anAccess(), false)).toBeUndefined()
  expect(images.decode(done).images).toEqual([{ url: 'https://oss.example/1.png', revisedPrompt: 'one cat' }])
})

test('an image task that failed reports why', async () => {
  const failed = { output: { task_id: 't-1', task_status: 'FAILED', message: 'no paint' } }
  expect(await failureFrom(() => images.task?.next(failed, anAccess(), false))).toMatchObject({ message: 'no paint' })
})

test('an image model that answers at once is called like a chat', async () => {
  const request = await withBody(
    images.encode({ model: 'qwen-image-plus', prompt: 'a cat', n: 1, extra: {} }, anAccess(), ENCODE_CONTEXT),
  )
  expect(request.url).toContain('/multimodal-generation/')
  const answer = { output: { choices: [{ message: { content: [{ image: 'https://oss.example/1.png' }] } }] } }
  expect(images.task?.next(answer, anAccess(), false)).toBeUndefined()
  expect(images.decode(answer).images).toEqual([{ url: 'https://oss.example/1.png' }])
})

const answer = (name: string, tokens: { input: number; output: number }) => ({
  whole: recorded.json(name),
  events: recorded.sse(name),
  tokens,
})
const event = (body: object) => ({ event: 'result', data: JSON.stringify(body) })
const called = (call: object) =>
  event({
    output: { choices: [{ message: { content: '', tool_calls: [{ index: 0, ...call }] }, finish_reason: 'null' }] },
  })

adapterSuite({
  name: 'qwen',
  chat,
  answers: {
    text: answer('text', { input: 26, output: 40 }),
    tools: answer('tools', { input: 200, output: 33 }),
    'what it sees': answer('vision', { input: 1270, output: 4 }),
  },
  silent: [event({ request_id: 'q' }), event({ output: { choices: [] }, request_id: 'q' })],
  failure: event({ code: 'InternalError', message: 'An internal error has occurred', request_id: 'q' }),
  call: (pieces) => [
    called({ id: 'c', function: { name: 'f', arguments: '' } }),
    ...pieces.map((piece) => called({ id: '', function: { arguments: piece } })),
  ],
})

test('a pending task can be cancelled, and a running one cannot', () => {
  const task = (task_status: string) => ({ output: { task_id: 't-1', task_status }, request_id: 'q' })
  expect(images.task?.cancel?.(task('PENDING'), anAccess())).toMatchObject({
    method: 'POST',
    url: 'https://vendor.example/api/v1/tasks/t-1/cancel',
  })
  expect(images.task?.cancel?.(task('RUNNING'), anAccess())).toBeUndefined()
})

test('an image is edited by models that accept one', async () => {
  expect(images.edits?.('qwen-image-edit-plus')).toBe(true)
  expect(images.edits?.('wanx2.1-t2i-turbo')).toBe(false)
  const pictures = [{ mimeType: 'image/png', base64: 'AA==' }]
  const order = { model: 'qwen-image-edit-plus', prompt: 'bluer', n: 1, pictures, extra: {} }
  const { body } = await withBody(images.encode(order, anAccess(), ENCODE_CONTEXT))
  expect(body.input.messages).toEqual([
    { role: 'user', content: [{ image: 'data:image/png;base64,AA==' }, { text: 'bluer' }] },
  ])
})
