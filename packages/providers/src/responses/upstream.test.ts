import { expect, test } from 'bun:test'
import { collect } from '../collect.ts'
import { openai } from '../compatible/vendors.ts'
import { adapterSuite, recordings } from '../testing/adapter-suite.ts'
import {
  anAccess,
  CONVERSATION,
  decodeStream,
  encoded,
  failureFrom,
  offered,
  PICTURE,
  told,
  WEATHER,
} from '../testing/vendor-kit.ts'

/* Responses as the vendor's end of the wire: for models that know nothing else. */

const chat = offered(openai, 'chat')
const { whole, events } = recordings(import.meta.url, ({ type }) => String(type))
const event = (type: string, body: object = {}) => ({ event: type, data: JSON.stringify({ type, ...body }) })
const started = event('response.created', { response: { id: 'r', model: 'm' } })

adapterSuite({
  name: 'responses upstream',
  chat,
  answers: {
    'every kind of item': { whole: whole('tools'), events: events('tools'), tokens: { input: 140, output: 80 } },
    'an answer that was cut short': { whole: whole('cut'), events: events('cut'), tokens: { input: 140, output: 80 } },
  },
  silent: [],
  failure: event('response.failed', { response: { error: { code: 'server_error', message: 'The model broke' } } }),
  call: (pieces) => [
    started,
    event('response.output_item.added', { output_index: 0, item: { type: 'function_call', call_id: 'c', name: 'f' } }),
    ...pieces.map((delta) => event('response.function_call_arguments.delta', { output_index: 0, delta })),
  ],
})

test('a response says what it says, without what ran at the vendor', () => {
  expect(collect(chat.decode(whole('tools'))).choices).toMatchObject([
    {
      blocks: [
        { type: 'reasoning', text: 'First the tide.\n\nThen the berth.', signature: 'tollgate/openai/gAAAAABo' },
        { type: 'text', text: 'High water at noon.' },
        { type: 'tool-call', id: 'call_a', name: 'book', arguments: '{"berth":12}' },
        { type: 'tool-call', id: 'call_b', name: 'clock', arguments: '{}' },
        { type: 'image', mimeType: 'image/webp', base64: 'cXVheQ==' },
      ],
      citations: [{ url: 'https://tides.example/', title: 'Tides' }],
      finish: 'tool_calls',
    },
  ])
  expect(collect(chat.decode(whole('cut'))).choices).toMatchObject([{ finish: 'length' }])
})

test('a response that failed, or an error among its events, is told as one', async () => {
  const failed = { object: 'response', status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down' } }
  expect(await failureFrom(() => chat.decode(failed))).toMatchObject({ message: 'Slow down' })
  const decode = chat.streamDecoder()
  decode(started)
  const error = event('error', { code: 'server_error', message: 'Broken', param: null })
  expect(await failureFrom(() => decode(error))).toMatchObject({ message: 'Broken', class: 'server' })
})

test('a model that knows only responses is asked in their words', async () => {
  const { url, body } = await encoded(chat, {
    model: 'gpt-5.1-codex',
    stream: true,
    messages: [...CONVERSATION, { role: 'tool', callId: 'call_2', content: [{ type: 'text', text: 'see' }, PICTURE] }],
    tools: [WEATHER],
    toolChoice: { name: 'weather' },
    maxTokens: 100,
    reasoning: { effort: 'high' },
    responseFormat: { type: 'json_schema', name: 'x', schema: { type: 'object' } },
  })
  expect(url).toBe('https://vendor.example/v1/responses')
  expect(body).toEqual({
    model: 'gpt-5.1-codex',
    stream: true,
    store: false,
    input: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Use tools.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Weather in Paris?' }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' },
      { type: 'function_call_output', call_id: 'call_1', output: '{"celsius":21}' },
      {
        type: 'function_call_output',
        call_id: 'call_2',
        output: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' },
        ],
      },
    ],
    max_output_tokens: 100,
    tools: [{ type: 'function', ...WEATHER, strict: false }],
    tool_choice: { type: 'function', name: 'weather' },
    reasoning: { effort: 'high', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: false } },
  })
  const passes = (model: string) => offered(openai, 'openai').url('chat/completions', anAccess(), model) !== undefined
  expect(['gpt-5.1', 'gpt-5.1-codex', 'o3', 'o3-pro', 'codex-mini-latest'].map(passes)).toEqual([
    ...[true, false, true, false, false],
  ])
  expect(await failureFrom(() => encoded(chat, { model: 'o3-pro', n: 2 }))).toMatchObject({ status: 400, param: 'n' })
})

test('a stream of a response is known by its kind, wherever the vendor writes it', () => {
  const events = [
    { sequence_number: 0, type: 'response.created', response: { id: 'r', model: 'm', output: [] } },
    { delta: 'Noon.', item_id: 'i', output_index: 0, type: 'response.output_text.delta' },
    { response: { usage: { input_tokens: 3, output_tokens: 2 } }, type: 'response.completed' },
  ].map((body) => ({ event: '', data: JSON.stringify(body) }))
  expect(told(decodeStream(chat, events))).toMatchObject({
    usage: { input: 3, output: 2 },
    choices: [{ finish: 'stop', blocks: [{ type: 'text', text: 'Noon.' }] }],
  })
})
