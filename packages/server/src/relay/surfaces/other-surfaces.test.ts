import { expect, test } from 'bun:test'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { fakeVendor, type ReceivedRequest } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

/* Calls other than chats, at vendors with a different format for them. */

const MODEL = 'the-model'
const PRICES = { ModelRatio: `{"${MODEL}":1}`, CompletionRatio: `{"${MODEL}":1}` }

const fixture = async (type: number, answer: (asked: ReceivedRequest) => object, fields: object = {}) => {
  const vendor = fakeVendor((asked) => Response.json(answer(asked)))
  const relay = await relayFixture({ options: PRICES })
  const created = await relay.channel(MODEL, { type, base_url: vendor.url, ...fields })
  return { vendor, relay, created }
}

const INPUT = ['one text', 'another text']

test.each([
  {
    vendor: 'Gemini',
    type: 24,
    path: `/v1beta/models/${MODEL}:batchEmbedContents`,
    sent: {
      requests: [{ content: { parts: [{ text: 'one text' }] } }, { content: { parts: [{ text: 'another text' }] } }],
    },
    answer: { embeddings: [{ values: [0.5, 0.25] }, { values: [1, 2] }] },
  },
  {
    vendor: 'Cohere',
    type: 35,
    path: '/v2/embed',
    sent: { texts: INPUT, input_type: 'search_document' },
    answer: {
      embeddings: {
        float: [
          [0.5, 0.25],
          [1, 2],
        ],
      },
      meta: { billed_units: { input_tokens: 7 } },
    },
    tokens: 7,
  },
  {
    vendor: 'DashScope',
    type: 17,
    path: '/api/v1/services/embeddings/text-embedding/text-embedding',
    sent: { input: { texts: INPUT } },
    answer: {
      output: {
        embeddings: [
          { text_index: 1, embedding: [1, 2] },
          { text_index: 0, embedding: [0.5, 0.25] },
        ],
      },
      usage: { total_tokens: 7 },
    },
    tokens: 7,
  },
  {
    vendor: 'Ollama',
    type: 30,
    path: '/api/embed',
    sent: { input: INPUT },
    answer: {
      embeddings: [
        [0.5, 0.25],
        [1, 2],
      ],
      prompt_eval_count: 7,
    },
    tokens: 7,
  },
  {
    vendor: 'Cloudflare',
    type: 37,
    path: '/client/v4/accounts/acc/ai/v1/embeddings',
    sent: { input: INPUT },
    answer: {
      object: 'list',
      data: [
        { index: 0, embedding: [0.5, 0.25] },
        { index: 1, embedding: [1, 2] },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    },
    fields: { config: '{"user_id":"acc"}' },
    tokens: 7,
  },
])('$vendor embeds in its own format', async ({ type, path, sent, answer, fields = {}, tokens }) => {
  const { vendor, relay } = await fixture(type, () => answer, fields)
  const response = await relay.post('/v1/embeddings', { model: MODEL, input: INPUT })
  const { data } = await response.json()
  expect(data.map(({ embedding }: { embedding: number[] }) => embedding)).toEqual([
    [0.5, 0.25],
    [1, 2],
  ])
  expect(vendor.asked[0]?.path).toBe(path)
  expect(vendor.asked[0]?.body).toMatchObject(sent)
  // Without usage from the vendor, what was sent is counted.
  expect((await relay.onlyLog()).quota).toBe(tokens ?? 5)
})

test('Baidu embeds with the token that it issued for the key, Zhipu with one that we signed', async () => {
  const vectors = { data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 4, total_tokens: 4 } }
  const baidu = await fixture(
    15,
    ({ path }) => (path.startsWith('/oauth/2.0/token') ? { access_token: 'granted', expires_in: 2_592_000 } : vectors),
    { key: 'the-api-key|the-secret-key' },
  )
  const answer = await baidu.relay.post('/v1/embeddings', { model: MODEL, input: 'one text' })
  expect((await answer.json()).data).toMatchObject([{ embedding: [0.5] }])
  expect(baidu.vendor.asked[1]?.path).toContain(`/embeddings/${MODEL}?access_token=granted`)

  const zhipu = await fixture(16, () => vectors, { key: 'the-id.the-secret' })
  await zhipu.relay.post('/v1/embeddings', { model: MODEL, input: 'one text' })
  expect(zhipu.vendor.asked[0]?.path).toBe('/api/paas/v4/embeddings')
  expect(zhipu.vendor.asked[0]?.headers.get('authorization')).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/)
})

test('Zhipu generates images in OpenAI’s own format, charged per image', async () => {
  const { vendor, relay } = await fixture(
    16,
    () => ({ created: 1, data: [{ url: 'https://cogview.example/1.png' }] }),
    {
      key: 'the-id.the-secret',
    },
  )
  const painted = await relay.post('/v1/images/generations', { model: MODEL, prompt: 'a cat' })
  expect((await painted.json()).data).toEqual([{ url: 'https://cogview.example/1.png' }])
  expect(vendor.asked[0]?.path).toBe('/api/paas/v4/images/generations')
  expect((await relay.onlyLog()).detail.usage.imageOutput).toBe(1000)
})

const FLOATS = [0.5, -0.25, 3]
const PACKED = Buffer.from(new Float32Array(FLOATS).buffer).toString('base64')
const asOpenAi = (embedding: unknown) => ({
  ...{ object: 'list', model: MODEL, data: [{ object: 'embedding', index: 0, embedding }] },
  usage: { prompt_tokens: 2, total_tokens: 2 },
})

test.each([
  ['a vendor of another form', 35, { embeddings: { float: [FLOATS] } }],
  ['OpenAI', 1, asOpenAi(PACKED)],
  ['an imitator that always gives numbers', 28, asOpenAi(FLOATS)],
])('OpenAI’s own client requests base64 embeddings and reads them correctly, from %s', async (_, type, answer) => {
  const { relay } = await fixture(type, () => answer)
  const client = new OpenAI({ apiKey: relay.key, baseURL: `${relay.app.url}/v1` })
  const { data } = await client.embeddings.create({ model: MODEL, input: 'one text' })
  expect([...(data[0]?.embedding ?? [])]).toEqual(FLOATS)
})

test('embeddings that a vendor did not number are in order, for OpenAI’s client and for Google’s', async () => {
  const unnumbered = { object: 'list', data: [{ embedding: [1, 0] }, { embedding: [0, 1] }] }
  const { relay } = await fixture(51, () => unnumbered)
  const answer = await relay.post('/v1/embeddings', { model: MODEL, input: INPUT })
  expect((await answer.json()).data).toEqual([
    { index: 0, embedding: [1, 0] },
    { index: 1, embedding: [0, 1] },
  ])
  const google = new GoogleGenAI({ apiKey: relay.key, httpOptions: { baseUrl: relay.app.url } })
  const { embeddings } = await google.models.embedContent({ model: MODEL, contents: INPUT })
  expect(embeddings?.map(({ values }) => values)).toEqual([
    [1, 0],
    [0, 1],
  ])
})

test("Google's own client embeds over a channel of OpenAI's dialect, and over another vendor's", async () => {
  const { relay } = await fixture(8, ({ body }) => {
    const { input } = Object(body)
    const data = input.map((_: string, index: number) => ({ index, embedding: [index, 1] }))
    return { object: 'list', data, usage: { prompt_tokens: 9, total_tokens: 9 } }
  })
  const client = new GoogleGenAI({ apiKey: relay.key, httpOptions: { baseUrl: relay.app.url } })
  const { embeddings } = await client.models.embedContent({ model: MODEL, contents: INPUT })
  expect(embeddings?.map(({ values }) => values)).toEqual([
    [0, 1],
    [1, 1],
  ])
  expect((await relay.onlyLog()).quota).toBe(9)
})

test.each(['embedContent', 'batchEmbedContents'])('%s is served by Cohere', async (action) => {
  const { vendor, relay } = await fixture(35, () => ({ embeddings: { float: [[1, 2]] } }))
  const one = { model: `models/${MODEL}`, content: { parts: [{ text: 'one text' }] }, outputDimensionality: 256 }
  const body = action === 'embedContent' ? one : { requests: [one] }
  const answer = await relay.post(`/v1beta/models/${MODEL}:${action}`, body)
  const embedding = { values: [1, 2] }
  expect(await answer.json()).toEqual(action === 'embedContent' ? { embedding } : { embeddings: [embedding] })
  expect(vendor.asked[0]?.body).toMatchObject({ texts: ['one text'], output_dimension: 256 })
})

test('embedContent is sent to Gemini unchanged, under the mapped name', async () => {
  const { vendor, relay } = await fixture(24, () => ({ embedding: { values: [1] } }), {
    model_mapping: `{"${MODEL}":"gemini-embedding-001"}`,
  })
  const body = { model: `models/${MODEL}`, content: { parts: [{ text: 'x' }] }, taskType: 'RETRIEVAL_QUERY' }
  await relay.post(`/v1beta/models/${MODEL}:embedContent`, body)
  expect(vendor.asked[0]?.path).toBe('/v1beta/models/gemini-embedding-001:embedContent')
  expect(vendor.asked[0]?.body).toEqual({ ...body, model: 'models/gemini-embedding-001' })
})

test.each([
  {
    vendor: 'Cohere',
    type: 35,
    path: '/v2/rerank',
    answer: {
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.1 },
      ],
    },
  },
  {
    vendor: 'DashScope',
    type: 17,
    path: '/api/v1/services/rerank/text-rerank/text-rerank',
    answer: {
      output: {
        results: [
          { index: 1, relevance_score: 0.9 },
          { index: 0, relevance_score: 0.1 },
        ],
      },
      usage: { total_tokens: 79 },
    },
  },
])('$vendor reranks in its own format', async ({ type, path, answer }) => {
  const { vendor, relay } = await fixture(type, () => answer)
  const order = { model: MODEL, query: 'which?', documents: ['a', { text: 'b' }], top_n: 2, return_documents: true }
  const response = await relay.post('/v1/rerank', order)
  expect(await response.json()).toMatchObject({
    results: [
      { index: 1, relevance_score: 0.9, document: { text: 'b' } },
      { index: 0, relevance_score: 0.1, document: { text: 'a' } },
    ],
  })
  expect(vendor.asked[0]?.path).toBe(path)
})

test('Gemini generates and edits images; both are charged by its own usage', async () => {
  const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' }
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 1290, totalTokenCount: 1300 }
  const { vendor, relay } = await fixture(24, () => ({
    candidates: [{ content: { parts: [{ text: 'Here.' }, { inlineData }] }, finishReason: 'STOP' }],
    usageMetadata,
  }))
  const painted = await relay.post('/v1/images/generations', { model: MODEL, prompt: 'a cat', size: '1024x1792' })
  expect(await painted.json()).toMatchObject({ data: [{ b64_json: 'iVBORw0KGgo=' }] })
  expect(vendor.asked[0]?.body).toMatchObject({
    generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '9:16' } },
  })
  expect((await relay.onlyLog()).quota).toBe(1300)

  const form = new FormData()
  form.set('model', MODEL)
  form.set('prompt', 'make it blue')
  form.set('image', new File(['PNG'], 'cat.png', { type: 'image/png' }))
  const edited = await relay.post('/v1/images/edits', form)
  expect(await edited.json()).toMatchObject({ data: [{ b64_json: 'iVBORw0KGgo=' }] })
  expect(vendor.asked[1]?.body).toMatchObject({
    contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: btoa('PNG') } }, { text: 'make it blue' }] }],
  })
})

test('an answer with only text is not an image, and costs nothing', async () => {
  const { relay } = await fixture(24, () => ({
    candidates: [{ content: { parts: [{ text: 'I cannot paint that.' }] }, finishReason: 'STOP' }],
  }))
  const refused = await relay.post('/v1/images/generations', { model: MODEL, prompt: 'x' })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('I cannot paint that') } })
  expect(await relay.account()).toMatchObject({ used_quota: 0, held: 0 })
})

test('Imagen generates the requested number of images', async () => {
  const vendor = fakeVendor(() =>
    Response.json({ predictions: [{ bytesBase64Encoded: 'AA==' }, { bytesBase64Encoded: 'AQ==' }] }),
  )
  const relay = await relayFixture({ options: { ModelRatio: '{"imagen-4":1}', CompletionRatio: '{"imagen-4":1}' } })
  await relay.channel('imagen-4', { type: 24, base_url: vendor.url })
  const painted = await relay.post('/v1/images/generations', { model: 'imagen-4', prompt: 'a cat', n: 2 })
  expect((await painted.json()).data).toEqual([{ b64_json: 'AA==' }, { b64_json: 'AQ==' }])
  expect(vendor.asked[0]).toMatchObject({
    path: '/v1beta/models/imagen-4:predict',
    body: { instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 2 } },
  })
})

test('Cloudflare generates one image at a time', async () => {
  const { vendor, relay } = await fixture(37, () => ({ result: { image: 'AA==' } }), { config: '{"user_id":"acc"}' })
  const painted = await relay.post('/v1/images/generations', { model: MODEL, prompt: 'a cat', size: '512x512' })
  expect((await painted.json()).data).toEqual([{ b64_json: 'AA==' }])
  expect(vendor.asked[0]?.body).toEqual({ prompt: 'a cat', width: 512, height: 512 })
  const refused = await relay.post('/v1/images/generations', { model: MODEL, prompt: 'a cat', n: 2 })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { param: 'n' } })
})

test.each([
  ['/v1/moderations', { input: 'x' }],
  ['/v1/embeddings', { input: 'x' }],
  ['/v1/rerank', { query: 'x', documents: ['y'] }],
  ['/v1/audio/speech', { input: 'x', voice: 'alloy' }],
  ['/v1/images/generations', { prompt: 'x' }],
  ['/v1/completions', { prompt: 'x' }],
])('a vendor without %s is refused clearly, and not called', async (path, body) => {
  const { vendor, relay } = await fixture(14, () => ({}))
  const refused = await relay.post(path, { model: MODEL, ...body })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { type: 'invalid_request_error', code: 'relay_unsupported', message: expect.any(String) },
  })
  expect(vendor.asked).toHaveLength(0)
  expect((await relay.account()).held).toBe(0)
})

test.each([
  ['/v1/embeddings', { input: [1, 2, 3] }, 'input'],
  ['/v1/rerank', { query: 7, documents: ['x'] }, 'query'],
  ['/v1/rerank', { query: 'x', documents: [] }, 'documents'],
])('%s names the parameter that an adapter cannot read', async (path, body, param) => {
  const { relay } = await fixture(35, () => ({}))
  const refused = await relay.post(path, { model: MODEL, ...body })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { param } })
})

test('Gemini speech: samples become a file that players can read', async () => {
  const samples = new Uint8Array([1, 2, 3, 4])
  const { vendor, relay } = await fixture(24, () => ({
    candidates: [
      {
        content: { parts: [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: samples.toBase64() } }] },
      },
    ],
    usageMetadata: {
      ...{ promptTokenCount: 3, candidatesTokenCount: 40, totalTokenCount: 43 },
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
    },
  }))
  const spoken = await relay.post('/v1/audio/speech', { model: MODEL, input: 'Hello', voice: 'alloy' })
  expect(spoken.headers.get('content-type')).toBe('audio/wav')
  const file = Buffer.from(await spoken.arrayBuffer())
  expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ')
  expect(file.readUInt32LE(24)).toBe(24_000)
  expect([...file.subarray(44)]).toEqual([...samples])
  expect(vendor.asked[0]?.body).toMatchObject({
    generationConfig: { speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } } },
  })
  expect((await relay.onlyLog()).detail.usage).toMatchObject({ audioOutput: 40 })

  const order = { model: MODEL, input: 'Hello', voice: 'Puck', response_format: 'pcm' }
  const bare = await relay.post('/v1/audio/speech', order)
  expect([...new Uint8Array(await bare.arrayBuffer())]).toEqual([...samples])
  const refused = await relay.post('/v1/audio/speech', { ...order, response_format: 'mp3' })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { param: 'response_format' } })
})

test('DashScope speech is a file, which is fetched', async () => {
  const vendor = fakeVendor(({ path }) =>
    path === '/sound.wav'
      ? new Response('WAV', { headers: { 'content-type': 'audio/x-wav' } })
      : Response.json({
          output: { audio: { url: `${vendor.url}/sound.wav` } },
          usage: { input_tokens: 4, output_tokens: 20 },
        }),
  )
  const relay = await relayFixture({ options: PRICES })
  await relay.channel(MODEL, { type: 17, base_url: vendor.url })
  const spoken = await relay.post('/v1/audio/speech', { model: MODEL, input: 'Hello', voice: 'Ethan' })
  expect(await spoken.text()).toBe('WAV')
  expect(vendor.asked[0]?.body).toMatchObject({ input: { text: 'Hello', voice: 'Ethan' } })
  expect((await relay.onlyLog()).quota).toBe(24)
})

test.each([
  {
    vendor: 'DashScope',
    type: 17,
    answer: { output: { choices: [{ message: { content: [{ text: 'Hello there' }] }, finish_reason: 'stop' }] } },
    sent: { input: { messages: [{ content: [{ audio: `data:audio/mpeg;base64,${btoa('MP3')}` }] }] } },
  },
  {
    vendor: 'Cloudflare',
    type: 37,
    answer: { result: { text: 'Hello there' } },
    sent: { audio: btoa('MP3'), language: 'en' },
  },
])('$vendor transcribes audio', async ({ type, answer, sent }) => {
  const { vendor, relay } = await fixture(type, () => answer, { config: '{"user_id":"acc"}' })
  const form = (format: string) => {
    const fields = new FormData()
    fields.set('model', MODEL)
    fields.set('file', new File(['MP3'], 'hello.mp3', { type: 'audio/mpeg' }))
    fields.set('language', 'en')
    fields.set('response_format', format)
    return fields
  }
  expect(await (await relay.post('/v1/audio/transcriptions', form('json'))).json()).toEqual({ text: 'Hello there' })
  expect(await (await relay.post('/v1/audio/transcriptions', form('text'))).text()).toBe('Hello there')
  expect(vendor.asked[0]?.body).toMatchObject(sent)
  const refused = await relay.post('/v1/audio/transcriptions', form('srt'))
  expect(await refused.json()).toMatchObject({ error: { param: 'response_format' } })
  expect(refused.status).toBe(400)
})

test('a streamed image is refused if the vendor only returns whole ones', async () => {
  const { relay } = await fixture(24, () => ({}))
  const refused = await relay.post('/v1/images/generations', { model: MODEL, prompt: 'x', stream: true })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { param: 'stream' } })
})
