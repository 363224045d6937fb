import { expect, test } from 'bun:test'
import type { AssistantContent } from '../chat.ts'
import { collect } from '../collect.ts'
import { dialects } from '../dialects.ts'
import { adapterSuite, recordings } from '../testing/adapter-suite.ts'
import {
  anAccess,
  aRequest,
  CONVERSATION,
  decodeStream,
  ENCODE_CONTEXT,
  encoded,
  failureFrom,
  offered,
  PICTURE,
  WEATHER,
  withBody,
} from '../testing/vendor-kit.ts'
import { NO_USAGE } from '../usage.ts'
import { gemini } from './gemini.ts'
import { toGoogleSchema } from './schema.ts'

const chat = offered(gemini, 'chat')
const { whole, events } = recordings(import.meta.url)
const answer = (name: string, tokens: { input: number; output: number }) => ({
  whole: whole(name),
  events: events(name),
  tokens,
})
const piece = (...parts: object[]) => ({
  event: '',
  data: JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, index: 0 }], responseId: 'r' }),
})

/** Here values arrive incrementally, not the text of the arguments. */
const textPieces = (text: string) => text.match(/[\s\S]{1,1000}/g) ?? []

adapterSuite({
  name: 'gemini',
  chat,
  answers: {
    text: answer('text', { input: 1300, output: 120 }),
    'calls in pieces': answer('tools', { input: 29, output: 60 }),
    'sources, code and drafts': answer('grounded', { input: 70, output: 101 }),
    speech: answer('spoken', { input: 6, output: 40 }),
    'a blocked prompt': answer('blocked', { input: 14, output: 0 }),
  },
  silent: [
    { event: '', data: '{"candidates":[]}' },
    { event: '', data: '{"usageMetadata":{"trafficType":"ON_DEMAND"}}' },
    piece({ executableCode: { code: '1' } }),
    { event: '', data: '{"forecast":"rain"}' },
  ],
  failure: { event: '', data: '{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}' },
  call: (pieces) => [
    piece({ functionCall: { name: 'f', willContinue: true } }),
    ...textPieces(JSON.parse(pieces.join('')).text).map((stringValue) =>
      piece({ functionCall: { partialArgs: [{ jsonPath: '$.text', stringValue }], willContinue: true } }),
    ),
    piece({ functionCall: {} }),
  ],
})

test('gemini: a conversation is encoded', async () => {
  const { url, headers, body } = await encoded(
    chat,
    {
      model: 'gemini-2.5-flash',
      stream: true,
      messages: CONVERSATION,
      tools: [WEATHER, { name: 'now', parameters: { type: 'object', properties: {} } }],
      toolChoice: { name: 'weather' },
      maxTokens: 100,
      stop: ['END'],
      n: 2,
      topK: 3,
      logprobs: true,
      topLogprobs: 2,
    },
    { config: { api_version: 'v1' } },
  )
  expect(url).toBe('https://vendor.example/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse')
  expect(headers).toMatchObject({ 'x-goog-api-key': 'the-key' })
  expect(body).toEqual({
    systemInstruction: { parts: [{ text: 'Be brief.\n\nUse tools.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Weather in Paris?' }] },
      {
        role: 'model',
        parts: [{ text: 'Let me look.' }, { functionCall: { name: 'weather', args: { city: 'Paris' } } }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { celsius: 21 } } }] },
    ],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'The weather of a city',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          },
          { name: 'now' },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
    generationConfig: {
      maxOutputTokens: 100,
      stopSequences: ['END'],
      candidateCount: 2,
      topK: 3,
      responseLogprobs: true,
      logprobs: 2,
    },
  })
})

test('gemini: a call of the third generation has its signature, or the mark for a lost one', async () => {
  const parts = async (content: AssistantContent[], model = 'gemini-3-pro-preview') => {
    const user = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }
    const { body } = await encoded(chat, { model, messages: [user, { role: 'assistant', content }] })
    return body.contents[1].parts.map((part: { thoughtSignature?: string }) => part.thoughtSignature)
  }
  const call = (more: { signature?: string } = {}): AssistantContent => ({
    type: 'tool-call',
    id: 'c',
    name: 'f',
    arguments: '{}',
    ...more,
  })
  expect(await parts([call({ signature: 'tollgate/gemini/c2ln' }), call()])).toEqual(['c2ln', undefined])
  expect(await parts([call(), call()])).toEqual(['skip_thought_signature_validator', undefined])
  expect(await parts([call({ signature: 'tollgate/claude/c2ln' })])).toEqual(['skip_thought_signature_validator'])
  expect(await parts([{ type: 'reasoning', text: '', signature: 'tollgate/gemini/YWJj' }, call()])).toEqual(['YWJj'])
  expect(await parts([call()], 'gemini-2.5-flash')).toEqual([undefined])
})

test('gemini: images, audio and files are data or URIs', async () => {
  const { body } = await encoded(chat, {
    messages: [
      {
        role: 'user',
        content: [
          PICTURE,
          { type: 'audio', format: 'wav', base64: 'UklGRg==' },
          { type: 'file', source: { url: 'gs://bucket/a.pdf' } },
          { type: 'file', source: { id: 'files/abc' } },
        ],
      },
    ],
  })
  expect(body.contents[0].parts).toEqual([
    { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
    { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } },
    { fileData: { fileUri: 'gs://bucket/a.pdf', mimeType: 'application/pdf' } },
    { fileData: { fileUri: 'files/abc' } },
  ])
})

test('gemini: effort is a budget for 2.5 and a level for later models', async () => {
  const asked = async (model: string, reasoning: { effort?: string; budgetTokens?: number }) =>
    (await encoded(chat, { model, reasoning })).body.generationConfig?.thinkingConfig
  expect(await asked('gemini-2.5-flash', { effort: 'medium' })).toEqual({ includeThoughts: true, thinkingBudget: 8192 })
  expect(await asked('gemini-2.5-flash', { effort: 'none' })).toEqual({ includeThoughts: false, thinkingBudget: 0 })
  expect(await asked('gemini-2.5-pro', { effort: 'none' })).toEqual({ includeThoughts: false, thinkingBudget: 128 })
  expect(await asked('gemini-2.5-pro', {})).toEqual({ includeThoughts: true, thinkingBudget: -1 })
  expect(await asked('gemini-3.5-flash', { effort: 'medium' })).toEqual({
    includeThoughts: true,
    thinkingLevel: 'MEDIUM',
  })
  expect(await asked('gemini-3-pro-preview', { effort: 'medium' })).toMatchObject({ thinkingLevel: 'HIGH' })
  expect(await asked('gemini-2.0-flash', { effort: 'high' })).toBeUndefined()
})

test('gemini: a JSON schema is converted to its own', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: ['string', 'null'], format: 'email', minLength: 1 },
      kind: { const: 'a' },
      level: { enum: [1, 2], type: 'integer', format: 'int32' },
      either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      maybe: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
      both: { allOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }] },
    },
    required: ['name'],
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
  }
  expect(toGoogleSchema(schema)).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', nullable: true, minLength: 1 },
      kind: { type: 'string', format: 'enum', enum: ['a'] },
      level: { type: 'integer', format: 'int32' },
      either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      maybe: { type: 'object', properties: { next: { type: 'object' } }, nullable: true },
      both: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    },
    required: ['name'],
  })
})

test('gemini: JSON is requested with a schema or without', async () => {
  const config = async (
    responseFormat: { type: 'json' } | { type: 'json_schema'; name: string; schema: object },
    model: string,
  ) => (await encoded(chat, { model, responseFormat })).body.generationConfig
  const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }
  const format = { type: 'json_schema', name: 'x', schema } as const
  expect(await config({ type: 'json' }, 'gemini-2.5-flash')).toEqual({ responseMimeType: 'application/json' })
  expect(await config(format, 'gemini-2.5-flash')).toMatchObject({ responseJsonSchema: schema })
  expect(await config(format, 'gemini-2.0-flash')).toMatchObject({
    responseSchema: { type: 'object', properties: { a: { type: 'string' } } },
  })
})

test('gemini: images and log probabilities are parts of an answer', () => {
  const body = {
    candidates: [
      {
        content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }] },
        logprobsResult: {
          chosenCandidates: [{ token: 'a', logProbability: -0.1 }],
          topCandidates: [{ candidates: [{ token: 'b', logProbability: -2 }] }],
        },
        finishReason: 'MAX_TOKENS',
      },
    ],
  }
  expect(collect(chat.decode(body)).choices).toMatchObject([
    {
      blocks: [{ type: 'image', mimeType: 'image/png', base64: 'aGk=' }],
      logprobs: [{ token: 'a', logprob: -0.1, top: [{ token: 'b', logprob: -2 }] }],
      finish: 'length',
    },
  ])
})

test('gemini: texts are embedded in batches', async () => {
  const embeddings = offered(gemini, 'embeddings')
  const request = embeddings.encode(
    { model: 'gemini-embedding-001', input: ['a', 'b'], dimensions: 8 },
    anAccess(),
    ENCODE_CONTEXT,
  )
  const { url, body } = await withBody(request)
  expect(url).toBe('https://vendor.example/v1beta/models/gemini-embedding-001:batchEmbedContents')
  expect(body.requests).toHaveLength(2)
  expect(body.requests[1]).toEqual({
    model: 'models/gemini-embedding-001',
    content: { parts: [{ text: 'b' }] },
    outputDimensionality: 8,
  })
  expect(embeddings.decode({ embeddings: [{ values: [1, 2] }] })).toEqual({ vectors: [[1, 2]], usage: undefined })
})

test('gemini: errors are classified, and a bad key is distinguished from a bad request', () => {
  const explain = (status: number, error: object) =>
    gemini.explain(status, JSON.stringify([{ error: { code: status, ...error } }]), new Headers())
  expect(
    explain(400, { status: 'INVALID_ARGUMENT', message: 'API key not valid. Please pass a valid API key.' }),
  ).toMatchObject({ class: 'auth', blame: 'channel' })
  expect(explain(400, { status: 'INVALID_ARGUMENT', message: 'Bad' })).toMatchObject({ class: 'client' })
  expect(
    explain(429, { status: 'RESOURCE_EXHAUSTED', message: 'Quota', details: [{ retryDelay: '34.07s' }] }),
  ).toMatchObject({ class: 'rate', retryAfterSec: 35 })
})

test('gemini: drafts and code executed at Google are not part of the answer; images and sources are', () => {
  const [choice] = collect(chat.decode(whole('grounded'))).choices
  expect(choice?.blocks).toEqual([
    { type: 'reasoning', text: 'Draw the quay at high tide.' },
    { type: 'text', text: 'High tide is at 13:00.' },
    { type: 'image', mimeType: 'image/png', base64: 'cXVheQ==' },
    { type: 'reasoning', text: '', signature: 'tollgate/gemini/EtoFCtcG' },
  ])
  expect(choice?.citations.map(({ title }) => title)).toEqual(['Tides', 'Almanac', 'Quay'])
})

test('gemini: audio output is requested by its modality, in a format that its models support', async () => {
  const asked = async (audio: { voice?: string; format?: string }) =>
    (await encoded(chat, { model: 'gemini-2.5-flash-preview-tts', audio })).body.generationConfig
  expect(await asked({ voice: 'Kore', format: 'wav' })).toEqual({
    responseModalities: ['AUDIO'],
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
  })
  expect(await asked({ voice: 'alloy' })).toEqual({ responseModalities: ['AUDIO'] })
  expect(await failureFrom(() => asked({ format: 'opus' }))).toMatchObject({ status: 400, param: 'audio' })
})

test('gemini: a signature on plain text is sent back with it, and none is lost before a call', async () => {
  const answered = chat.decode({
    candidates: [
      {
        content: {
          parts: [
            { text: 'Let me look.', thoughtSignature: 'd29yZHM=' },
            { functionCall: { name: 'tide', args: {} }, thoughtSignature: 'Y2FsbA==' },
            { text: 'Done.' },
            { text: '', thoughtSignature: 'ZW5k' },
          ],
        },
        finishReason: 'STOP',
      },
    ],
  })
  const [choice] = collect(answered).choices
  const said = (choice?.blocks ?? []).flatMap((block): AssistantContent[] =>
    block.type === 'image' || block.type === 'audio' ? [] : [block],
  )
  const { body } = await encoded(chat, {
    model: 'gemini-3-flash',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'When is high water?' }] },
      { role: 'assistant', content: said },
      { role: 'tool', callId: 'c', name: 'tide', content: [{ type: 'text', text: '{}' }] },
    ],
  })
  expect(body.contents[1].parts).toEqual([
    { text: 'Let me look.' },
    { text: '', thoughtSignature: 'd29yZHM=' },
    { functionCall: { name: 'tide', args: {} }, thoughtSignature: 'Y2FsbA==' },
    { text: 'Done.' },
    { text: '', thoughtSignature: 'ZW5k' },
  ])
})

test('gemini: a call without an explicit end is ended by the next one, or by the answer', () => {
  const open = (name: string) => piece({ functionCall: { name, willContinue: true } })
  const grow = (jsonPath: string, numberValue: number) =>
    piece({ functionCall: { partialArgs: [{ jsonPath, numberValue }], willContinue: true } })
  const end = { event: '', data: '{"candidates":[{"finishReason":"STOP","index":0}]}' }
  const events = [
    open('tide'),
    grow('$.hours[1]', 6),
    grow('$.hours[4000000000]', 1),
    open('berth'),
    grow('$.n', 2),
    end,
  ]
  expect(collect(decodeStream(chat, events)).choices).toMatchObject([
    {
      blocks: [
        { name: 'tide', arguments: '{"hours":[null,6]}' },
        { name: 'berth', arguments: '{"n":2}' },
      ],
      finish: 'tool_calls',
    },
  ])
})

test('gemini: an answer that continues after a finish reason is read to its end', () => {
  const ended = (text: string) => ({
    event: '',
    data: JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP', index: 0 }] }),
  })
  const parts = decodeStream(chat, [ended('The code says '), piece({ codeExecutionResult: {} }), ended('thirteen.')])
  const stream = dialects['openai/chat'].stream({
    id: 'a',
    model: 'm',
    createdSec: 0,
    nowSec: () => 0,
    request: aRequest(),
  })
  const frames = parts.map(stream.frame).join('') + stream.end()
  const reasons = [...frames.matchAll(/"finish_reason":"(\w+)"/g)].map(({ 1: reason }) => reason)
  expect(reasons).toEqual(['stop'])
  expect(frames.indexOf('thirteen.')).toBeLessThan(frames.indexOf('"finish_reason":"stop"'))
})

test('a prompt with an unspecified block reason was not blocked', () => {
  const candidates = [{ index: 0, content: { parts: [{ text: 'Gladly' }] }, finishReason: 'STOP' }]
  const promptFeedback = { blockReason: 'BLOCKED_REASON_UNSPECIFIED' }
  expect(gemini.chat?.decode({ promptFeedback, candidates }).map(({ type }) => type)).toEqual([
    'start',
    'text',
    'finish',
  ])
})

test('gemini: blocked content is reported with its reason, and a blocked prompt costs nothing', () => {
  const filtered = { finishReason: 'MODEL_ARMOR', finishMessage: 'The response violated a filter.' }
  expect(collect(chat.decode({ candidates: [filtered] })).choices).toMatchObject([
    { blocks: [{ type: 'refusal', text: 'The response violated a filter.' }], finish: 'content_filter' },
  ])
  const promptFeedback = { blockReason: 'MODEL_ARMOR', blockReasonMessage: 'Jailbreak.' }
  const blocked = collect(chat.decode({ promptFeedback, usageMetadata: { trafficType: 'ON_DEMAND' } }))
  expect(blocked.choices).toMatchObject([{ blocks: [{ text: 'The prompt was blocked: MODEL_ARMOR. Jailbreak.' }] }])
  expect(blocked.usage).toEqual(NO_USAGE)
})

test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE'])(
  'gemini: %s is an error, not an empty answer that ends the turn',
  async (finishReason) => {
    const finishMessage = 'Malformed function call: print(default_api'
    const body = { candidates: [{ content: {}, finishReason, finishMessage, index: 0 }], responseId: 'r' }
    const failure = { class: 'server', message: finishMessage, code: finishReason }
    expect(await failureFrom(() => chat.decode(body))).toMatchObject(failure)
    const decode = chat.streamDecoder()
    expect(decode(piece({ text: 'I look.' }))).toMatchObject([{ type: 'start' }, { type: 'text', text: 'I look.' }])
    expect(await failureFrom(() => decode({ event: '', data: JSON.stringify(body) }))).toMatchObject(failure)
  },
)

test.each([
  'You do not have permission to access the File abc-123 or it may not exist.',
  'CachedContent not found (or permission denied)',
  'a@b.iam.gserviceaccount.com does not have storage.objects.get access to the Google Cloud Storage object.',
])('a reference that this key may not read is the caller’s error: %s', (message) => {
  const error = { code: 403, status: 'PERMISSION_DENIED', message }
  const failure = gemini.explain(403, JSON.stringify({ error }), new Headers())
  expect(failure).toMatchObject({ class: 'client', blame: 'request', status: 400, message })
})

test('a key without permission is the channel’s fault', () => {
  const error = { code: 403, status: 'PERMISSION_DENIED', message: 'The caller does not have permission' }
  const failure = gemini.explain(403, JSON.stringify({ error }), new Headers())
  expect(failure).toMatchObject({ class: 'auth', blame: 'channel', status: 403 })
})
