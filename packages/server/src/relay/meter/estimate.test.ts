import { expect, test } from 'bun:test'
import { inputTokens } from '@tollgate/providers'
import { readCall } from '../surfaces/call.ts'
import { operationAt } from '../surfaces/operations.ts'
import { countInput, estimateCall } from './estimate.ts'

const callOf = async (path: string, body: object) => {
  const found = operationAt(path)
  if (found === undefined) throw new Error(path)
  const request = new Request(`http://gateway${path}`, {
    method: 'POST',
    body: body instanceof FormData ? body : JSON.stringify({ model: 'm', ...body }),
  })
  return readCall(request, found.operation, found.hints)
}

const held = async (path: string, body: object) => estimateCall(await callOf(path, body), 500)
const counted = async (path: string, body: object) => inputTokens(countInput(await callOf(path, body)))

const base64 = (bytes: number) => 'QUJD'.repeat(bytes / 3)
const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
const parts = (...given: object[]) => ({ contents: [{ role: 'user', parts: given }] })
const GEMINI = '/v1beta/models/gemini-2.5-flash:generateContent'
const CHAT = '/v1/chat/completions'
const MESSAGES = '/v1/messages'

const photo = base64(3_000_000)
const pictures: [string, string, object][] = [
  ['Gemini', GEMINI, parts({ inlineData: { mimeType: 'image/jpeg', data: photo } })],
  ['Gemini in snake case', GEMINI, parts({ inline_data: { mime_type: 'image/jpeg', data: photo } })],
  ['OpenAI', CHAT, user({ type: 'image_url', image_url: { url: `data:image/png;base64,${photo}` } })],
  ['Responses', '/v1/responses', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: photo }] }] }],
  ['Anthropic', MESSAGES, user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: photo } })],
]

test.each(pictures)('a photo of 3 MB counts as an image and not as text: %s', async (_, path, body) => {
  expect(await counted(path, body)).toBeWithin(250, 1300)
  expect(inputTokens(await held(path, body))).toBeWithin(1300, 5000)
})

test('audio counts by its length, and is priced as audio', async () => {
  // Five minutes at 16 kHz, which Google counts as 9600 tokens and OpenAI as 3000.
  const data = base64(9_600_000)
  const google = await held(GEMINI, parts({ inlineData: { mimeType: 'audio/wav', data } }))
  expect(google.audioInput).toBeWithin(9600, 3 * 9600)
  const openai = await held(CHAT, user({ type: 'input_audio', input_audio: { data, format: 'wav' } }))
  expect(openai.audioInput).toBeWithin(3000, 3 * 3000)
  expect(openai.input).toBeLessThan(100)
})

test('a document counts by its pages, a text document by its characters', async () => {
  const source = { type: 'base64', media_type: 'application/pdf', data: base64(999_999) }
  // One with as much text as a megabyte can hold was charged as 150,000.
  expect((await held(MESSAGES, user({ type: 'document', source }))).input).toBeWithin(150_000, 200_000)
  expect(await counted(GEMINI, parts({ inlineData: { mimeType: 'application/pdf', data: source.data } }))).toBeWithin(
    ...[2000, 10_000],
  )
  const file = { file_data: `data:application/pdf;base64,${source.data}`, filename: 'a.pdf' }
  expect((await held(CHAT, user({ type: 'file', file }))).input).toBeWithin(150_000, 250_000)
  const named = { type: 'document_url', document_url: file.file_data }
  expect((await held(CHAT, user(named))).input).toBeWithin(150_000, 250_000)
  const text = { type: 'text', media_type: 'text/plain', data: 'It is high tide. '.repeat(24_000) }
  expect((await held(MESSAGES, user({ type: 'document', source: text }))).input).toBeWithin(96_000, 3 * 120_000)
})

test('text cannot be hidden in or beside something that looks like a file', async () => {
  const text = 'It is high tide. '.repeat(2000)
  const hidden = [
    user({ type: 'text', text, file_data: 'x' }),
    user({ type: 'image_url', image_url: { url: 'https://example.com/a.png' }, text }),
    user({ type: 'tool_use', name: 'f', input: { source: { type: 'base64', media_type: 'image/png', data: text } } }),
    { ...user(), tools: [{ name: 'f', input_schema: { source: { media_type: 'image/png', data: text } } }] },
  ]
  for (const body of hidden) expect((await held(MESSAGES, body)).input).toBeGreaterThan(8000)
})

test('tools and schemas count, with the names in them', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`field_${index}`, { type: 'string' }]),
  )
  const parameters = { type: 'object', properties }
  const tools = [{ type: 'function', function: { name: 'save', parameters } }]
  const plain = await held(CHAT, user())
  expect((await held(CHAT, { ...user(), tools })).input - plain.input).toBeGreaterThan(50 * 8)
  const response_format = { type: 'json_schema', json_schema: { name: 'a', schema: parameters } }
  expect((await held(CHAT, { ...user(), response_format })).input - plain.input).toBeGreaterThan(50 * 8)
})

/* Tokens of these as JSON text, by the tokenizer that needs the most of five. */
const letters = Array.from({ length: 500 }, (_, index) => 'abcdefghij'[index % 10])
const names = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, { type: 'string' }]))
const schemas = [
  { schema: { type: 'string', enum: letters }, tokens: 1010 },
  { schema: { enum: letters.map((_, index) => index % 10) }, tokens: 1004 },
  { schema: { enum: letters.map(() => null) }, tokens: 1004 },
  { schema: { enum: letters.map(() => '') }, tokens: 505 },
  { schema: { type: 'object', properties: names }, tokens: 3198 },
]
const own = { name: 'f', input_schema: {} }
const ANYTHING = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
const places: [string, string, (schema: object) => object][] = [
  ['a tool of OpenAI', CHAT, (parameters) => ({ ...user(), tools: [{ type: 'function', function: { parameters } }] })],
  ['a function', CHAT, (parameters) => ({ ...user(), functions: [{ name: 'f', parameters }] })],
  ['an answer', CHAT, (schema) => ({ ...user(), response_format: { type: 'json_schema', json_schema: { schema } } })],
  ['an answer of Responses', '/v1/responses', (schema) => ({ input: 'x', text: { format: { schema } } })],
  ['a tool of Anthropic', MESSAGES, (input_schema) => ({ ...user(), tools: [{ ...own, input_schema }] })],
  ['an answer of Anthropic', MESSAGES, (schema) => ({ ...user(), output_config: { format: { schema } } })],
  ['the same in beta', MESSAGES, (schema) => ({ ...user(), output_format: { type: 'json_schema', schema } })],
  ['a call of Anthropic', MESSAGES, (input) => user({ type: 'tool_use', name: 'f', input })],
  ['an answer of Google', GEMINI, (responseSchema) => ({ ...ANYTHING, generationConfig: { responseSchema } })],
  ['the same as JSON schema', GEMINI, (schema) => ({ ...ANYTHING, generationConfig: { responseJsonSchema: schema } })],
  ['a call of Google', GEMINI, (args) => parts({ functionCall: { name: 'f', args } })],
  ['a result for Google', GEMINI, (response) => parts({ functionResponse: { name: 'f', response } })],
]

test.each(places)('what is JSON to the model is held with its names, items and marks: %s', async (_, path, bodyOf) => {
  const envelope = inputTokens(await held(path, bodyOf({})))
  for (const { schema, tokens } of schemas) {
    const added = inputTokens(await held(path, bodyOf(schema))) - envelope
    expect(added).toBeWithin(tokens, 3.1 * tokens)
  }
})

test('a document of text is held by its text, in whatever script', async () => {
  const digits = '1,2,3,4,5,6,7,8,9,0\n'.repeat(200)
  for (const [text, tokens] of [
    [digits, 4000],
    ['水'.repeat(3000), 3000],
    ['It is high tide. '.repeat(300), 1500],
  ] as const) {
    const data = Buffer.from(text).toString('base64')
    const file = { file_data: `data:text/plain;base64,${data}`, filename: 'a.txt' }
    const source = { type: 'base64', media_type: 'text/plain', data }
    for (const [path, body] of [
      [GEMINI, parts({ inlineData: { mimeType: 'text/csv', data } })],
      [CHAT, user({ type: 'file', file })],
      ['/v1/responses', { input: [{ role: 'user', content: [{ type: 'input_file', ...file }] }] }],
      [MESSAGES, user({ type: 'document', source })],
    ] as const)
      expect(inputTokens(await held(path, body))).toBeWithin(tokens, 3 * tokens)
  }
})

test.each([
  [MESSAGES, { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 20 }] }, 20],
  [MESSAGES, { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 5],
  [MESSAGES, { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: -4 }] }, 5],
  [MESSAGES, { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1e12 }] }, 1000],
  [CHAT, { web_search_options: {} }, 1],
  [CHAT, { tools: [{ type: 'function', function: { name: 'web_search' } }] }, 0],
  ['/v1/responses', { input: 'x', tools: [{ type: 'web_search' }], max_tool_calls: 7 }, 7],
  ['/v1/responses', { model: 'o3-deep-research', input: 'x', tools: [{ type: 'web_search_preview' }] }, 30],
  [GEMINI, { tools: [{ googleSearch: {} }] }, 1],
  ['/v1beta/models/gemini-3-pro:generateContent', { tools: [{ google_search: {} }] }, 5],
])('searches are held for as many as the call allows: %s %j', async (path, body, searches) => {
  expect((await held(path, { ...user(), ...body })).webSearches).toBe(searches)
})

test('file searches are held for too', async () => {
  const tools = [{ type: 'file_search', vector_store_ids: ['v'] }]
  expect(await held('/v1/responses', { input: 'x', tools })).toMatchObject({ fileSearches: 5, webSearches: 0 })
})

const DRAW = '/v1/images/generations'

test.each([
  [{ model: 'gpt-image-1', size: '1024x1024', quality: 'low' }, 272],
  [{ model: 'gpt-image-1', size: '1024x1024', quality: 'high', n: 10 }, 41_600],
  [{ model: 'gpt-image-1', size: '1536x1024', quality: 'high' }, 6240],
  [{ model: 'gpt-image-1', size: 'auto', n: 2 }, 12_480],
  [{ model: 'gpt-image-1' }, 6240],
  [{ model: 'dall-e-3', n: 2 }, 2000],
])('images are held for by number, size and quality: %j', async (asked, tokens) => {
  expect((await held(DRAW, { prompt: 'A gate', ...asked })).imageOutput).toBe(tokens)
})

test('images to be edited count as input, each of them', async () => {
  const form = new FormData()
  for (let index = 0; index < 10; index++) form.append('image[]', new Blob(['png']), `${index}.png`)
  for (const [name, value] of Object.entries({ model: 'gpt-image-1', prompt: 'x', quality: 'high' }))
    form.set(name, value)
  expect(await held('/v1/images/edits', form)).toMatchObject({ imageInput: 32_000, imageOutput: 6240 })
})

test('an uploaded file is held by its type and size, like one inside the call', async () => {
  const fileData = { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a', mimeType: 'video/mp4' }
  const call = await callOf(GEMINI, parts({ fileData }))
  const without = estimateCall(call, 500)
  const size = 60_000_000
  const stored = {
    channel: 1,
    key: undefined,
    files: [
      { type: 'video/mp4', size },
      { type: 'audio/mp3', size },
    ],
  }
  const { input, audioInput } = estimateCall({ ...call, stored }, 500)
  expect(input - without.input).toBe(300_000)
  expect(audioInput - without.audioInput).toBe(480_000)
})
