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
import { ollama } from './ollama.ts'

const chat = offered(ollama, 'chat')
const embeddings = offered(ollama, 'embeddings')
const models = offered(ollama, 'models')
const recorded = fixturesOf(import.meta.url)

test('a conversation with tools is encoded in Ollama’s format', async () => {
  const { url, headers, body } = await encoded(chat, {
    model: 'qwen3:8b',
    stream: true,
    messages: CONVERSATION,
    tools: [WEATHER],
    maxTokens: 100,
    temperature: 0,
    stop: ['END'],
    seed: 7,
    extra: { num_ctx: 8192, keep_alive: '10m' },
  })
  expect(url).toBe('https://vendor.example/api/chat')
  expect(headers.authorization).toBe('Bearer the-key')
  expect(body).toEqual({
    model: 'qwen3:8b',
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.\nUse tools.' },
      { role: 'user', content: 'Weather in Paris?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: { city: 'Paris' } } }],
      },
      { role: 'tool', content: '{"celsius":21}', tool_name: 'weather' },
    ],
    tools: [{ type: 'function', function: WEATHER }],
    keep_alive: '10m',
    options: { num_predict: 100, num_ctx: 8192, temperature: 0, seed: 7, stop: ['END'] },
  })
})

test('a server without a key gets none', async () => {
  expect((await encoded(chat, {}, { key: '' })).headers).toEqual({ 'content-type': 'application/json' })
})

test('images are sent as data beside the text', async () => {
  const content = [{ type: 'text' as const, text: 'What is it?' }, PICTURE]
  const { body } = await encoded(chat, { messages: [{ role: 'user', content }] })
  expect(body.messages[0]).toEqual({ role: 'user', content: 'What is it?', images: ['iVBORw0KGgo='] })
})

test('an image that was not fetched is refused', async () => {
  const content = [{ type: 'image' as const, source: { url: 'https://pictures.example/cat.png' } }]
  expect(await failureFrom(() => encoded(chat, { messages: [{ role: 'user', content }] }))).toMatchObject({
    status: 400,
    param: 'image_url',
  })
})

test('a schema is the format', async () => {
  const schema = { type: 'object' }
  expect((await encoded(chat, { responseFormat: { type: 'json' } })).body.format).toBe('json')
  const { body } = await encoded(chat, { responseFormat: { type: 'json_schema', name: 'x', schema } })
  expect(body.format).toEqual(schema)
})

test('only gpt-oss gets a reasoning effort', async () => {
  const thinkOf = async (model: string, effort: string) =>
    (await encoded(chat, { model, reasoning: { effort } })).body.think
  expect(await thinkOf('gpt-oss:20b', 'minimal')).toBe('low')
  expect(await thinkOf('qwen3:8b', 'high')).toBe(true)
  expect(await thinkOf('qwen3:8b', 'none')).toBe(false)
})

test('without a choice of tools there are no tools, and one that has to be called is offered alone', async () => {
  const tools = [{ ...WEATHER, name: 'clock' }, WEATHER]
  expect((await encoded(chat, { tools, toolChoice: 'none' })).body.tools).toBeUndefined()
  const { body } = await encoded(chat, { tools, toolChoice: { name: 'weather' } })
  expect(body.tools).toEqual([{ type: 'function', function: WEATHER }])
})

test('arguments that are not an object are the caller’s mistake', async () => {
  const call = { type: 'tool-call' as const, id: '1', name: 'x', arguments: '{"a":' }
  expect(await failureFrom(() => encoded(chat, { messages: [{ role: 'assistant', content: [call] }] }))).toMatchObject({
    status: 400,
    param: 'messages',
  })
})

test('a whole answer is thinking, text, a finish reason and usage', () => {
  expect(chat.decode(recorded.json('text'))).toEqual([
    { type: 'start', id: '', model: 'qwen3:8b' },
    { type: 'reasoning', choice: 0, text: 'Short answer.' },
    { type: 'text', choice: 0, text: 'Because of Rayleigh scattering.' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage: { input: 31, output: 17 } },
  ])
})

test('calls get indexes and ids, and end the answer with the finish reason for calls', () => {
  const parts = decodeStream(chat, recorded.lines('tools'))
  expect(parts.filter(({ type }) => type === 'tool-call')).toEqual([
    {
      type: 'tool-call',
      choice: 0,
      call: 0,
      id: 'call_20260105091011123456_0',
      name: 'weather',
      arguments: '{"city":"Oslo"}',
    },
    { type: 'tool-call', choice: 0, call: 1, id: 'call_20260105091011123456_1', name: 'time', arguments: '{}' },
  ])
  expect(parts).toContainEqual({ type: 'finish', choice: 0, reason: 'tool_calls' })
})

test('an answer that was cut by its length has that finish reason', () => {
  const line = { model: 'm', message: { content: 'x' }, done: true, done_reason: 'length' }
  expect(chat.decode(line)).toContainEqual({ type: 'finish', choice: 0, reason: 'length' })
})

test('without counts there is no usage', () => {
  expect(contentOf(chat.decode({ model: 'm', message: { content: 'x' }, done: true })).usage).toBeUndefined()
})

test('an error in the stream is a failure', async () => {
  const events = [...recorded.lines('text').slice(0, 2), { event: '', data: '{"error":"model runner has stopped"}' }]
  expect(await failureFrom(() => decodeStream(chat, events))).toMatchObject({
    class: 'server',
    message: 'model runner has stopped',
  })
})

test('tokens include their log probabilities', () => {
  const line = {
    model: 'm',
    message: { content: 'Hi' },
    logprobs: [{ token: 'Hi', logprob: -0.1, bytes: [72], top_logprobs: [{ token: 'Hey', logprob: -2.5 }] }],
  }
  expect(chat.decode(line)).toContainEqual({
    type: 'logprobs',
    choice: 0,
    tokens: [{ token: 'Hi', logprob: -0.1, top: [{ token: 'Hey', logprob: -2.5 }] }],
  })
})

test('texts are embedded in one request', async () => {
  const request = await withBody(embeddings.encode({ model: 'bge-m3', input: ['a', 'b'] }, anAccess(), ENCODE_CONTEXT))
  expect(request).toMatchObject({
    url: 'https://vendor.example/api/embed',
    body: { model: 'bge-m3', input: ['a', 'b'] },
  })
  expect(embeddings.decode({ embeddings: [[1], [2]], prompt_eval_count: 4 })).toMatchObject({
    vectors: [[1], [2]],
    usage: { input: 4 },
  })
  expect(embeddings.decode({ embeddings: [[1]] }).usage).toBeUndefined()
})

test('the models are the installed ones', async () => {
  expect((await models.request(anAccess(), 0)).url).toBe('https://vendor.example/api/tags')
  expect(models.read({ models: [{ name: 'qwen3:8b', model: 'qwen3:8b' }] })).toEqual(['qwen3:8b'])
})

test('a missing model is reported by its name', () => {
  const failure = ollama.explain(404, '{"error":"model \\"llama9\\" not found"}', new Headers())
  expect(failure).toMatchObject({ status: 404, message: 'model "llama9" not found' })
})

const answer = (name: string) => ({
  whole: recorded.json(name),
  events: recorded.lines(name),
  tokens: { input: 31, output: 17 },
})
const line = (body: object) => ({ event: '', data: JSON.stringify(body) })

adapterSuite({
  name: 'ollama',
  chat,
  answers: { text: answer('text'), tools: answer('tools') },
  silent: [line({ model: 'm', progress: 0.5 }), line({ model: 'm', message: { role: 'assistant', content: '' } })],
  failure: line({ error: 'model runner has stopped' }),
  // Calls arrive in one piece.
  call: (pieces) => [
    line({
      model: 'm',
      message: { content: '', tool_calls: [{ function: { name: 'f', arguments: JSON.parse(pieces.join('')) } }] },
    }),
  ],
})
