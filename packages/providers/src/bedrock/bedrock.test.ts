import { expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import { collect } from '../collect.ts'
import { adapterSuite, recordings } from '../testing/adapter-suite.ts'
import {
  anAccess,
  aRequest,
  CONVERSATION,
  ENCODE_CONTEXT,
  encoded,
  failureFrom,
  offered,
  PICTURE,
  WEATHER,
  withBody,
} from '../testing/vendor-kit.ts'
import type { Access } from '../upstream-request.ts'
import { bedrock } from './bedrock.ts'

const chat = offered(bedrock, 'chat')
const models = offered(bedrock, 'models')
const profiles = async (access: Access) => {
  if (models.more === undefined) throw new Error('There are no profiles')
  return models.more(access, ENCODE_CONTEXT.nowMs)
}
const nameOf = (payload: object) => Object.keys(payload)[0] ?? ''
const recorded = recordings(import.meta.url, nameOf)
/** The framing removes the event's name and delivers its payload. */
const events = (name: string) =>
  recorded.events(name).map(({ event, data }) => ({ event, data: JSON.stringify(JSON.parse(data)[event]) }))
const answer = (name: string, tokens: { input: number; output: number }) => ({
  whole: recorded.whole(name),
  events: events(name),
  tokens,
})
const event = (name: string, body: object) => ({ event: name, data: JSON.stringify(body) })

adapterSuite({
  name: 'bedrock',
  chat,
  answers: {
    'thinking and calls': answer('thinking', { input: 972, output: 57 }),
    'cited text, a picture and a tool of Amazon’s own': answer('cited', { input: 1240, output: 25 }),
    'a filtered answer': answer('filtered', { input: 300, output: 5 }),
  },
  silent: [event('messageWeather', {}), event('contentBlockDelta', { contentBlockIndex: 0, delta: { smell: 1 } })],
  failure: event('throttlingException', { message: 'Too many requests' }),
  call: (pieces) => [
    event('contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 't', name: 'f' } } }),
    ...pieces.map((input) => event('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input } } })),
  ],
})

const config = { ak: 'AKIDEXAMPLE', sk: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'us-east-1' }
const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

test('bedrock: a conversation is encoded for Converse', async () => {
  const { url, body } = await encoded(
    chat,
    {
      model: CLAUDE,
      stream: true,
      messages: CONVERSATION,
      tools: [{ ...WEATHER, cache: {} }],
      toolChoice: 'auto',
      maxTokens: 100,
      stop: ['END'],
      topK: 5,
    },
    { baseUrl: '', config },
  )
  expect(url).toBe(
    'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream',
  )
  expect(body).toEqual({
    system: [{ text: 'Be brief.' }, { text: 'Use tools.' }],
    messages: [
      { role: 'user', content: [{ text: 'Weather in Paris?' }] },
      {
        role: 'assistant',
        content: [
          { text: 'Let me look.' },
          { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Paris' } } },
        ],
      },
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: '{"celsius":21}' }] } }],
      },
    ],
    inferenceConfig: { maxTokens: 100, stopSequences: ['END'] },
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: 'weather',
            description: 'The weather of a city',
            inputSchema: { json: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
          },
        },
        { cachePoint: { type: 'default' } },
      ],
      toolChoice: { auto: {} },
    },
    additionalModelRequestFields: { top_k: 5 },
  })
})

test('bedrock: a conversation with calls names their tools when none are offered any more', async () => {
  const toolSpec = { name: 'weather', inputSchema: { json: { type: 'object', properties: {} } } }
  for (const tools of [undefined, []]) {
    const request = { model: CLAUDE, messages: [...CONVERSATION, ...CONVERSATION.slice(2)], ...(tools && { tools }) }
    const { body } = await encoded(chat, request, { baseUrl: '', config })
    expect(body.toolConfig).toEqual({ tools: [{ toolSpec }] })
  }
  const { body } = await encoded(chat, { model: CLAUDE }, { baseUrl: '', config })
  expect(body).not.toHaveProperty('toolConfig')
})

test.each([
  ['a chat', () => chat.encode(aRequest({ model: CLAUDE }), anAccess({ baseUrl: '', config }), ENCODE_CONTEXT)],
  ['a list of models', () => models.request(anAccess({ baseUrl: '', config }), ENCODE_CONTEXT.nowMs)],
  ['a list with a question in its address', () => profiles(anAccess({ baseUrl: '', config }))],
])('bedrock: the signature of %s is what an independent reading of SigV4 expects', async (_, make) => {
  const { method, url, headers, body } = await make()
  const { host, pathname, search } = new URL(url)
  const date = headers['x-amz-date'] ?? ''
  const names = ['content-type', 'host', 'x-amz-content-sha256', 'x-amz-date']
  const sent: Record<string, string> = { ...headers, host }
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  // Each segment of the path is encoded once more than in the URL.
  const path = pathname.split('/').map(encodeURIComponent).join('/')
  const canonical = [
    method,
    path,
    search.slice(1),
    ...names.map((name) => `${name}:${sent[name]}`),
    '',
    names.join(';'),
    hash(String(body ?? '')),
  ].join('\n')
  const scope = `${date.slice(0, 8)}/us-east-1/bedrock/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = ['us-east-1', 'bedrock', 'aws4_request'].reduce<Buffer>(
    (secret, step) => hmac(secret, step),
    hmac(`AWS4${config.sk}`, date.slice(0, 8)),
  )
  const signature = hmac(key, toSign).toString('hex')
  expect(date).toBe('20260101T000000Z')
  expect(headers.authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  )
  expect('host' in headers).toBe(false)
})

test('bedrock: credentials come from the fields, from the key, or are an API key', async () => {
  const asked = async (access: object) =>
    chat.encode(aRequest({ model: CLAUDE }), anAccess({ baseUrl: '', ...access }), ENCODE_CONTEXT)
  expect((await asked({ key: 'AK|SK|eu-west-3' })).url).toStartWith('https://bedrock-runtime.eu-west-3.amazonaws.com/')
  expect((await asked({ key: 'ABSK', config: { region: 'us-west-2' } })).headers.authorization).toBe('Bearer ABSK')
  expect(await failureFrom(() => asked({ key: 'AK|SK' }))).toMatchObject({ class: 'auth', code: 'malformed_key' })
})

test('bedrock: images and documents are bytes, cache marks are blocks', async () => {
  const { body } = await encoded(
    chat,
    {
      model: CLAUDE,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Long', cache: { ttl: '1h' } },
            PICTURE,
            { type: 'file', source: { mimeType: 'application/pdf', base64: 'JVBERi0=' }, name: 'Täglich  v1.2.pdf' },
          ],
        },
      ],
    },
    { config },
  )
  expect(body.messages[0].content).toEqual([
    { text: 'Long' },
    { cachePoint: { type: 'default', ttl: '1h' } },
    { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } },
    { document: { format: 'pdf', name: 'T glich v1 2 pdf', source: { bytes: 'JVBERi0=' } } },
  ])
})

test('bedrock: thinking, effort and schemas of Claude, and reasoning of others', async () => {
  const asked = async (model: string, more: object) => (await encoded(chat, { model, ...more }, { config })).body
  const budget = await asked(CLAUDE, { reasoning: { effort: 'low' } })
  expect(budget.additionalModelRequestFields).toEqual({ thinking: { type: 'enabled', budget_tokens: 2048 } })
  expect(budget.inferenceConfig).toEqual({ maxTokens: 32_000 })
  const adaptive = await asked('global.anthropic.claude-opus-4-6-v1', { reasoning: { effort: 'high' } })
  expect(adaptive.additionalModelRequestFields).toEqual({ thinking: { type: 'adaptive', display: 'summarized' } })
  expect(adaptive.outputConfig).toEqual({ effort: 'high' })
  expect(
    (await asked('openai.gpt-oss-120b-1:0', { reasoning: { effort: 'low' } })).additionalModelRequestFields,
  ).toEqual({
    reasoning_effort: 'low',
  })
  const format = { responseFormat: { type: 'json_schema', name: 'x', schema: { type: 'object', properties: {} } } }
  expect((await asked(CLAUDE, format)).outputConfig.textFormat.structure.jsonSchema).toEqual({
    name: 'x',
    schema: '{"type":"object","properties":{},"additionalProperties":false}',
  })
})

test('bedrock: cached tokens are counted once, beside the input or within it', () => {
  const usage = (name: string) => collect(chat.decode(recorded.whole(name))).usage
  expect(usage('thinking')).toMatchObject({ input: 22, cachedInput: 900, cacheWrite: 50 })
  expect(usage('filtered')).toMatchObject({ input: 200, cachedInput: 100, cacheWrite: 0 })
})

test('bedrock: errors are classified by their kind', () => {
  const explain = (status: number, kind: string) =>
    bedrock.explain(status, '{"message":"No"}', new Headers({ 'x-amzn-errortype': `${kind}:http://internal/` }))
  expect(explain(429, 'ThrottlingException')).toMatchObject({
    class: 'rate',
    message: 'No',
    code: 'ThrottlingException',
  })
  expect(explain(403, 'AccessDeniedException')).toMatchObject({ class: 'auth' })
  expect(explain(400, 'ValidationException')).toMatchObject({ class: 'client' })
  expect(explain(424, 'ModelErrorException')).toMatchObject({ class: 'server' })
})

test('bedrock: models are listed by their own id, or by their profile if they need one', async () => {
  const { url } = await models.request(anAccess({ baseUrl: '', config }), ENCODE_CONTEXT.nowMs)
  expect(url).toBe('https://bedrock.us-east-1.amazonaws.com/foundation-models')
  const modelSummaries = [
    { modelId: 'amazon.nova-pro-v1:0', inferenceTypesSupported: ['ON_DEMAND'] },
    { modelId: 'anthropic.claude-sonnet-4-v1:0', inferenceTypesSupported: ['INFERENCE_PROFILE'] },
  ]
  const inferenceProfileSummaries = [
    { inferenceProfileId: 'eu.anthropic.claude-sonnet-4-v1:0', type: 'SYSTEM_DEFINED', status: 'ACTIVE' },
  ]
  expect(models.read({ modelSummaries }, { inferenceProfileSummaries })).toEqual([
    'amazon.nova-pro-v1:0',
    'eu.anthropic.claude-sonnet-4-v1:0',
  ])
  const { url: more } = await profiles(anAccess({ baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com', config }))
  expect(more).toBe('https://bedrock.eu-west-1.amazonaws.com/inference-profiles?maxResults=1000')
})

test('bedrock: each vendor’s image models have their own format', async () => {
  const { encode, decode } = offered(bedrock, 'images')
  const access = anAccess({ baseUrl: '', config })
  const order = { prompt: 'a ferry', n: 2, size: '1024x768', extra: { seed: 7 } }
  const nova = await withBody(encode({ ...order, model: 'amazon.nova-canvas-v1:0' }, access, ENCODE_CONTEXT))
  expect(nova.url).toEndWith('/model/amazon.nova-canvas-v1%3A0/invoke')
  expect(nova.body).toEqual({
    taskType: 'TEXT_IMAGE',
    textToImageParams: { text: 'a ferry' },
    imageGenerationConfig: { numberOfImages: 2, width: 1024, height: 768, seed: 7 },
  })
  const stability = 'stability.sd3-5-large-v1:0'
  const { body } = await withBody(encode({ ...order, n: 1, model: stability }, access, ENCODE_CONTEXT))
  expect(body).toEqual({ prompt: 'a ferry', aspect_ratio: '5:4', output_format: 'png', seed: 7 })
  expect(await failureFrom(() => encode({ ...order, model: stability }, access, ENCODE_CONTEXT))).toMatchObject({
    param: 'n',
  })
  expect(decode({ images: ['AA=='] }).images).toEqual([{ b64: 'AA==' }])
  expect(await failureFrom(() => decode({ images: [], finish_reasons: ['Filter reason: prompt'] }))).toMatchObject({
    class: 'client',
    message: 'Filter reason: prompt',
  })
  expect(await failureFrom(() => decode({ error: 'blocked by our content filters' }))).toMatchObject({
    class: 'client',
  })
})

test('bedrock: Titan embeds one text, Cohere many', async () => {
  const { encode, decode } = offered(bedrock, 'embeddings')
  const access = anAccess({ baseUrl: '', config })
  const titan = { model: 'amazon.titan-embed-text-v2:0', dimensions: 256 }
  expect((await withBody(encode({ ...titan, input: ['x'] }, access, ENCODE_CONTEXT))).body).toEqual({
    inputText: 'x',
    dimensions: 256,
  })
  expect(await failureFrom(() => encode({ ...titan, input: ['x', 'y'] }, access, ENCODE_CONTEXT))).toMatchObject({
    param: 'input',
  })
  const cohere = await withBody(encode({ model: 'cohere.embed-v4:0', input: ['x', 'y'] }, access, ENCODE_CONTEXT))
  expect(cohere.body).toMatchObject({ texts: ['x', 'y'], input_type: 'search_document' })
  expect(decode({ embedding: [1], inputTextTokenCount: 3 })).toMatchObject({ vectors: [[1]], usage: { input: 3 } })
  expect(decode({ embeddings: { float: [[1], [2]] } }).vectors).toEqual([[1], [2]])
  expect(decode({ embeddings: [[1], [2]] }).vectors).toEqual([[1], [2]])
})

test('bedrock: cited text is text, with its place and its source, web page or document, and calls of Amazon’s own tools are not passed on', () => {
  const { choices, usage } = collect(chat.decode(recorded.whole('cited')))
  expect(choices).toMatchObject([
    {
      blocks: [
        { type: 'text', text: 'Two ferries sail at dawn.' },
        { type: 'image', mimeType: 'image/png', base64: 'ZmVycnk=' },
      ],
    },
  ])
  // Twelve characters come before the cited ones.
  expect(choices[0]?.citations).toEqual([
    { url: 'https://ferries.example/', title: 'Ferries', start: 12, end: 25 },
    { url: '0', document: true, title: 'A page', start: 12, end: 25 },
  ])
  expect(usage).toMatchObject({ input: 40, cachedInput: 200, cacheWrite: 300, cacheWriteLong: 700 })
})

test('a request for JSON without a schema becomes an instruction to the model', async () => {
  for (const model of [CLAUDE, 'amazon.nova-pro-v1:0']) {
    const { body } = await encoded(chat, { model, responseFormat: { type: 'json' } }, { config })
    expect(body.system.at(-1)).toEqual({ text: expect.stringContaining('JSON') })
  }
})

test('a request with only instructions is refused with a message', async () => {
  const messages = [{ role: 'system' as const, content: [{ type: 'text' as const, text: 'Be brief.' }] }]
  const { message, param } = await failureFrom(() => encoded(chat, { model: CLAUDE, messages }, { config }))
  expect({ message, param }).toEqual({ message: expect.stringContaining('no conversation'), param: 'messages' })
})
