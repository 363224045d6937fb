import { expect, test } from 'bun:test'
import { collect } from '../collect.ts'
import { openai } from '../compatible/vendors.ts'
import { VendorError } from '../failure.ts'
import { adapterSuite, recordings } from '../testing/adapter-suite.ts'
import { decodeStream, failureFrom, offered } from '../testing/vendor-kit.ts'

const chat = offered(openai, 'chat')
const { whole, events } = recordings(import.meta.url)
const answer = (name: string, tokens: { input: number; output: number }) => ({
  whole: whole(name),
  events: events(name),
  tokens,
})
const chunk = (body: object) => ({ event: '', data: JSON.stringify({ id: 'c', model: 'm', ...body }) })

adapterSuite({
  name: 'openai',
  chat,
  answers: {
    text: answer('text', { input: 1540, output: 213 }),
    tools: answer('tools', { input: 88, output: 41 }),
    'an imitator’s answer': answer('imitator', { input: 60, output: 50 }),
    'reasoning that is signed': answer('routed', { input: 70, output: 30 }),
    'sources after the last word': answer('searched', { input: 12, output: 39 }),
    speech: answer('spoken', { input: 14, output: 60 }),
    'two choices': answer('choices', { input: 12, output: 6 }),
  },
  silent: [
    chunk({ choices: [] }),
    chunk({ choices: [{ index: 0, delta: null }], prompt_filter_results: [] }),
    { event: 'ping', data: '{"kind":"weather"}' },
  ],
  failure: chunk({ error: { message: 'The server had an error', type: 'server_error', code: null } }),
  call: (pieces) => [
    chunk({
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: '' } }] } }],
    }),
    ...pieces.map((piece) =>
      chunk({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } }] }),
    ),
  ],
})

test('usage in several chunks is cumulative, and the last one counts', () => {
  const { usage } = collect(decodeStream(chat, events('imitator')))
  expect(usage).toMatchObject({ input: 28, cachedInput: 32, output: 20, reasoning: 30 })
})

test('a finish reason of stop with pending calls means calls', () => {
  const [choice] = collect(chat.decode(whole('imitator'))).choices
  expect(choice?.finish).toBe('tool_calls')
})

test('an error inside a 200 answer is classified by its code', async () => {
  const refusal = (error: unknown) => failureFrom(() => chat.decode({ error }))
  expect(await refusal({ message: 'Slow down', code: 429 })).toMatchObject({ class: 'rate', status: 429 })
  expect(await refusal({ message: 'No money', code: 'insufficient_quota' })).toMatchObject({ class: 'quota' })
  expect(await refusal({ message: 'Bad', type: 'invalid_request_error' })).toMatchObject({ class: 'client' })
  expect(await refusal('out of order')).toMatchObject({ class: 'server', message: 'out of order' })
  expect(await failureFrom(() => chat.decode({ choices: null, base_resp: { status_code: 1008 } }))).toMatchObject({
    class: 'quota',
  })
})

test('sources that every chunk repeats are reported once', () => {
  const cited = chunk({ choices: [{ index: 0, delta: { content: 'a' } }], citations: ['https://a.example'] })
  const [choice] = collect(decodeStream(chat, [cited, cited])).choices
  expect(choice?.citations).toEqual([{ url: 'https://a.example' }])
})

test('content in blocks is reasoning and text', () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'Yes.' },
  ]
  const [choice] = collect(chat.decode({ choices: [{ message: { content } }] })).choices
  expect(choice?.blocks).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Yes.' },
  ])
})

test('anything but a chunk is a failure', () => {
  for (const body of [[], 'text', { choices: 'none' }, null]) expect(() => chat.decode(body)).toThrow(VendorError)
})

test('openai: signed reasoning from a router keeps its signature and its redacted part', () => {
  const [choice] = collect(decodeStream(chat, events('routed'))).choices
  expect(choice?.blocks).toMatchObject([
    { type: 'reasoning', text: 'The tide first.', signature: 'tollgate/claude/EpQBCkYR' },
    { type: 'reasoning', text: '', redacted: 'EqcBClosed' },
    { type: 'text', text: 'Let me look.' },
    { type: 'tool-call', id: 'toolu_1', name: 'tide' },
  ])
})

test('openai: chunks of audio are joined', () => {
  const [choice] = collect(decodeStream(chat, events('spoken'))).choices
  expect(choice?.blocks).toEqual([{ type: 'audio', base64: 'AAECAwQFBgc=', transcript: 'Mind the gap.' }])
})

test.each([
  ['of its own kind', { object: 'error', message: 'The context is too long', type: 'BadRequestError', code: 400 }, 400],
  ['without a kind', { code: 50507, message: 'Unknown error', data: undefined }, 502],
])('openai: an error %s in place of an answer is reported as an error', async (_, body, status) => {
  expect(await failureFrom(() => chat.decode(body))).toMatchObject({ status, message: body.message })
})

const deltas = (...pieces: object[]) => pieces.map((delta) => chunk({ choices: [{ index: 0, delta }] }))

test('openai: tool calls without an index are distinguished by their position, and indexes may follow', () => {
  const started = deltas({
    tool_calls: [
      { id: 'a', function: { name: 'tide', arguments: '' } },
      { id: 'b', function: { name: 'clock', arguments: '' } },
    ],
  })
  const unnumbered = [{ function: { arguments: '{"port":"Brest"}' } }, { function: { arguments: '{"zone":"UTC"}' } }]
  const numbered = [
    { index: 1, function: { arguments: '{"zone":"UTC"}' } },
    { index: 0, function: { arguments: '{"port":"Brest"}' } },
  ]
  for (const tool_calls of [unnumbered, numbered]) {
    const [choice] = collect(decodeStream(chat, [...started, ...deltas({ tool_calls })])).choices
    expect(choice?.blocks).toMatchObject([
      { id: 'a', name: 'tide', arguments: '{"port":"Brest"}' },
      { id: 'b', name: 'clock', arguments: '{"zone":"UTC"}' },
    ])
  }
})

test('openai: a stream that repeats the whole message at its end is not duplicated', () => {
  const message = { role: 'assistant', content: 'High at noon.', reasoning_content: 'The moon.' }
  const [choice] = collect(
    decodeStream(chat, [
      ...deltas({ reasoning_content: 'The moon.' }, { content: 'High at ' }, { content: 'noon.' }),
      chunk({ object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    ]),
  ).choices
  expect(choice).toMatchObject({
    finish: 'stop',
    blocks: [
      { type: 'reasoning', text: 'The moon.' },
      { type: 'text', text: 'High at noon.' },
    ],
  })
})

test('openai: reasoning under an older name counts if the newer one is empty', () => {
  const [choice] = collect(decodeStream(chat, deltas({ reasoning: 'The moon.', reasoning_content: '' }))).choices
  expect(choice?.blocks).toEqual([{ type: 'reasoning', text: 'The moon.' }])
})

test('openai: results of a vendor’s own search are cited, whatever the field is called', () => {
  const results = [{ title: 'Tides', url: 'https://tides.example', score: 0.9 }]
  const executed_tools = [{ index: 0, type: 'search', arguments: '{}', search_results: { results } }]
  const found = (body: object) => collect(chat.decode(body)).choices[0]?.citations
  const expected = [{ url: 'https://tides.example', title: 'Tides' }]
  expect(found({ choices: [{ message: { content: 'Noon.', executed_tools } }] })).toEqual(expected)
  const web_search = [{ title: 'Tides', link: 'https://tides.example', refer: 'ref_1' }]
  expect(found({ choices: [{ message: { content: 'Noon.' } }], web_search })).toEqual(expected)
})

test('openai: an answer that stopped with an error is a failure, not an end', async () => {
  const stopped = (choice: object) => failureFrom(() => chat.decode({ choices: [choice] }))
  const message = { role: 'assistant', content: '' }
  expect(await stopped({ message, finish_reason: 'network_error' })).toMatchObject({ class: 'server' })
  expect(
    await stopped({ message, finish_reason: 'error', error: { code: 429, message: 'The provider is busy' } }),
  ).toMatchObject({ class: 'rate', message: 'The provider is busy' })
})

test('openai: an error together with the usage of a finished answer leaves the answer unchanged', () => {
  const usage = { prompt_tokens: 43, completion_tokens: 10, total_tokens: 53 }
  const error = { code: 400, message: 'Token limit reached' }
  const expected = collect(
    decodeStream(chat, [
      ...deltas({ content: 'High at' }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] }),
      chunk({ choices: [{ index: 0, delta: { content: '' }, finish_reason: null }], error, usage }),
    ]),
  )
  expect(expected).toMatchObject({ choices: [{ finish: 'length' }], usage: { input: 43, output: 10 } })
})
