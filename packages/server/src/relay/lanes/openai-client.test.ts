import { expect, setDefaultTimeout, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import OpenAI, { toFile } from 'openai'
import { MESSAGES, type RelayFixture, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* What programs really use: OpenAI's own client library, with the gateway instead of OpenAI. */

const TEXT = 'The bar goes up when the toll is paid.'
const MODEL = 'say/10'

async function clientFixture(quota?: number) {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 }, ...(quota === undefined ? {} : { quota }) })
  return { ...fixture, openai: clientOf(fixture) }
}

const clientOf = ({ app, key }: Pick<RelayFixture, 'app' | 'key'>, apiKey = key) =>
  new OpenAI({ apiKey, baseURL: `${app.url}/v1`, maxRetries: 0 })

test('chat completions', async () => {
  const { openai, channel, upstream, charges } = await clientFixture()
  await channel(MODEL)
  const { data, response } = await openai.chat.completions.create({ model: MODEL, messages: TYPED }).withResponse()
  expect(data.choices[0]?.message.content).toBe(TEXT)
  expect(data.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 10, total_tokens: 21 })
  expect(response.headers.get('x-tollgate-cost')).toBe('21')
  expect(await charges()).toMatchObject([{ delta: -21 }])
  expect(upstream.journal[0]?.headers.get('authorization')).toBe('Bearer sk-upstream-key-1234')
})

test('a chat as a stream, with the usage if it was requested', async () => {
  const { openai, channel } = await clientFixture()
  await channel(MODEL)
  const stream = await openai.chat.completions.create({
    ...{ model: MODEL, messages: TYPED, stream: true },
    stream_options: { include_usage: true },
  })
  let text = ''
  let usage: OpenAI.CompletionUsage | null | undefined
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ''
    usage = chunk.usage ?? usage
  }
  expect(text).toBe(TEXT)
  expect(usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 10 })
})

test('a stream that the client aborts ends at the provider, and is charged for what was received', async () => {
  const { openai, channel, upstream, atRest, onlyLog } = await clientFixture()
  await channel('fault/stall-mid')
  const stream = await openai.chat.completions.create({ model: 'fault/stall-mid', messages: TYPED, stream: true })
  let text = ''
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ''
    if (text === 'The bar goes') stream.controller.abort()
  }
  await upstream.until(([exchange]) => exchange?.aborted === true)
  await atRest()
  expect(await onlyLog()).toMatchObject({ quota: 6 + 3, detail: { flag: 'client_abort' } })
})

test('a plain call that the client aborts is an abort to it, and costs nothing', async () => {
  const { openai, channel, upstream, atRest, charges } = await clientFixture()
  await channel('fault/hang')
  const abort = new AbortController()
  const asked = openai.chat.completions.create({ model: 'fault/hang', messages: TYPED }, { signal: abort.signal })
  const outcome = asked.catch((error: unknown) => error)
  await upstream.received(1)
  abort.abort()
  expect(await outcome).toBeInstanceOf(OpenAI.APIUserAbortError)
  await atRest()
  expect(await charges()).toEqual([])
})

test('completions, plain and as a stream', async () => {
  const { openai, channel, charges } = await clientFixture()
  await channel(MODEL)
  const whole = await openai.completions.create({ model: MODEL, prompt: 'Hello there' })
  expect(whole.choices[0]?.text).toBe(TEXT)
  const stream = await openai.completions.create({ model: MODEL, prompt: 'Hello there', stream: true })
  let text = ''
  for await (const chunk of stream) text += chunk.choices[0]?.text ?? ''
  expect(text).toBe(TEXT)
  const [one, other] = await charges()
  expect(one?.delta).toBe(other?.delta)
})

test('embeddings', async () => {
  const { openai, channel, charges } = await clientFixture()
  await channel('text-embedding-3-small')
  const { data, usage } = await openai.embeddings.create({
    ...{ model: 'text-embedding-3-small', input: ['one', 'two'], encoding_format: 'float' },
  })
  expect(data.map(({ embedding }) => embedding)).toEqual([
    [0.1, 0.2, 0.3],
    [0.1, 0.2, 0.3],
  ])
  expect(usage.prompt_tokens).toBe(4)
  // Four tokens at 0.01 are rounded up to 1.
  expect(await charges()).toMatchObject([{ delta: -1 }])
})

test('moderations, with and without a model', async () => {
  const { openai, channel, logs } = await clientFixture()
  await channel(`omni-moderation-latest,${MODEL}`)
  const { results } = await openai.moderations.create({ input: 'Is this fine?' })
  expect(results[0]?.flagged).toBe(false)
  await openai.moderations.create({ input: 'Is this fine?', model: MODEL })
  expect((await logs()).map(({ model_name, quota }) => [model_name, quota])).toEqual([
    ['omni-moderation-latest', 0],
    [MODEL, 4],
  ])
})

test('images, generated and edited', async () => {
  const { openai, channel, logs, upstream } = await clientFixture()
  await channel('gpt-image-1')
  const made = await openai.images.generate({ model: 'gpt-image-1', prompt: 'A toll gate', n: 2 })
  expect(made.data).toHaveLength(2)
  const image = await toFile(new Uint8Array([137, 80, 78, 71]), 'gate.png', { type: 'image/png' })
  const edited = await openai.images.edit({ model: 'gpt-image-1', image, prompt: 'Paint it red' })
  expect(edited.data?.[0]?.b64_json).toStartWith('aGk=')
  expect(upstream.journal[1]?.body.image).toBeInstanceOf(Blob)
  expect((await logs()).map(({ detail }) => [detail.source, detail.usage.imageOutput])).toEqual([
    ['reported', 272],
    ['reported', 272],
  ])
})

test('audio to text: transcriptions, translations and subtitles', async () => {
  const { openai, channel, upstream, logs } = await clientFixture()
  await channel('whisper-1')
  const sound = () => toFile(new Uint8Array(4096), 'speech.mp3', { type: 'audio/mpeg' })
  expect((await openai.audio.transcriptions.create({ model: 'whisper-1', file: await sound() })).text).toBe(TEXT)
  expect((await openai.audio.translations.create({ model: 'whisper-1', file: await sound() })).text).toBe(TEXT)
  const subtitles: unknown = await openai.audio.transcriptions.create({
    ...{ model: 'whisper-1', file: await sound(), response_format: 'srt' },
  })
  expect(String(subtitles)).toContain('00:00:00,000 --> 00:00:02,000')
  const [first] = upstream.journal
  expect(first?.body.file).toBeInstanceOf(Blob)
  expect(first?.body.model).toBe('whisper-1')
  expect((await logs()).map(({ type }) => type)).toEqual([2, 2, 2])
})

test('text to audio', async () => {
  const { openai, channel, onlyLog } = await clientFixture()
  await channel('tts-1')
  const speech = await openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'The bar goes up' })
  expect(speech.headers.get('content-type')).toBe('audio/mpeg')
  expect((await speech.arrayBuffer()).byteLength).toBe(2048)
  expect(await onlyLog()).toMatchObject({ type: 2, quota: Math.ceil(15 * 7.5), detail: { source: 'estimated' } })
})

const DIALECTS = [
  { vendor: 'a vendor that has them', type: 1, input: 4 },
  { vendor: 'a vendor that has chats only', type: 8, input: 11 },
]

test.each(DIALECTS)(
  'responses of $vendor, plain and as a stream, whose last event waits for the charge',
  async ({ type, input }) => {
    const { openai, channel, charges } = await clientFixture()
    await channel(MODEL, { type })
    const whole = await openai.responses.create({ model: MODEL, input: 'Hello there' })
    expect(whole.output_text).toBe(TEXT)
    expect(whole.usage).toMatchObject({ input_tokens: input, output_tokens: 10 })
    const stream = await openai.responses.create({ model: MODEL, input: 'Hello there', stream: true })
    let text = ''
    const types: string[] = []
    for await (const event of stream) {
      if (types.at(-1) !== event.type) types.push(event.type)
      if (event.type === 'response.output_text.delta') text += event.delta
      if (event.type === 'response.completed') expect(await charges()).toHaveLength(2)
    }
    expect(text).toBe(TEXT)
    expect(types.at(-1)).toBe('response.completed')
    expect(await charges()).toMatchObject([{ delta: -(input + 10) }, { delta: -(input + 10) }])
  },
)

test.each(DIALECTS)(
  'an error inside a stream of responses of $vendor charges what came before it',
  async ({ type }) => {
    const { openai, channel, onlyLog } = await clientFixture()
    await channel('fault/error-mid', { type })
    const stream = await openai.responses.create({ model: 'fault/error-mid', input: 'Hello there', stream: true })
    let text = ''
    const outcome = (async () => {
      for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta
      return 'ended'
    })()
    await outcome.catch(() => 'failed')
    expect(text).toBe('The bar goes')
    expect(await onlyLog()).toMatchObject({ quota: 3 + 3, detail: { flag: 'partial' } })
  },
)

test('the model list contains what the key may call, and a single model can be retrieved', async () => {
  const { app, openai, payer, channel, key } = await clientFixture()
  await channel('say/1,say/2')
  await channel('secret', { group: 'vip' })
  const listed = await openai.models.list()
  expect(listed.data.map(({ id }) => id)).toEqual(['say/1', 'say/2'])
  expect(await openai.models.retrieve('say/2')).toMatchObject({ id: 'say/2', object: 'model' })
  const error = await openai.models.retrieve('secret').catch((error: unknown) => error)
  expect(error).toBeInstanceOf(OpenAI.NotFoundError)
  const [token] = (await payer.client.get('/api/token/')).data
  await payer.client.put('/api/token/', { id: token.id, models: 'say/2' })
  app.clock.pass(1)
  expect((await clientOf({ app, key }).models.list()).data.map(({ id }) => id)).toEqual(['say/2'])
})

const FAILURES: [string, new (...given: never[]) => Error, number][] = [
  ['fault/bad-request', OpenAI.BadRequestError, 400],
  ['fault/unknown-model', OpenAI.NotFoundError, 404],
  ['fault/rate', OpenAI.RateLimitError, 429],
  ['fault/server', OpenAI.InternalServerError, 503],
  ['fault/auth', OpenAI.InternalServerError, 502],
  ['fault/not-json', OpenAI.InternalServerError, 502],
  ['not-offered', OpenAI.NotFoundError, 404],
]

test.each(FAILURES)('%s becomes the client’s own exception', async (model, kind, status) => {
  const { app, openai, channel } = await clientFixture()
  await channel(
    FAILURES.map(([name]) => name)
      .join(',')
      .replace(',not-offered', ''),
  )
  for (const stream of [false, true]) {
    app.clock.pass(8)
    const error = await openai.chat.completions
      .create({ model, messages: TYPED, stream })
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(kind)
    if (!(error instanceof OpenAI.APIError)) throw error
    expect(error.status).toBe(status)
    expect(error.requestID).toMatch(/^[0-9a-f-]{36}$/)
    expect(error.message).toContain(error.requestID ?? '?')
  }
})

test('a wrong key, an empty balance and a forbidden model are distinct error classes', async () => {
  const { app, openai, channel, payer, key } = await clientFixture(0)
  await channel(MODEL)
  const ask = (client: OpenAI) => client.chat.completions.create({ model: MODEL, messages: TYPED }).catch((e) => e)
  expect(await ask(clientOf({ app, key }, 'sk-nobody'))).toBeInstanceOf(OpenAI.AuthenticationError)
  const poor = await ask(openai)
  expect(poor).toBeInstanceOf(OpenAI.RateLimitError)
  expect(poor.code).toBe('insufficient_quota')
  const [token] = (await payer.client.get('/api/token/')).data
  await payer.client.put('/api/token/', { id: token.id, models: 'other' })
  app.clock.pass(1)
  expect((await ask(openai)).code).toBe('relay_model_refused')
})

test('an error in mid-stream is thrown by the client while it reads', async () => {
  const { openai, channel } = await clientFixture()
  await channel('fault/error-mid')
  const stream = await openai.chat.completions.create({ model: 'fault/error-mid', messages: TYPED, stream: true })
  let text = ''
  const reading = (async () => {
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  })()
  const error = await reading.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(OpenAI.APIError)
  expect(text).toBe('The bar goes')
})

test.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('a request may be compressed by %s, and one that would expand too much is refused', async (coding, pack) => {
  const { post, channel, upstream } = await clientFixture()
  await channel(MODEL)
  const sent = (body: Blob) => post('/v1/chat/completions', body, { headers: { 'content-encoding': coding } })
  const packed = (value: unknown) => new Blob([pack(JSON.stringify(value))])
  const whole = packed({ model: MODEL, messages: MESSAGES })
  expect((await sent(whole)).status).toBe(200)
  expect(upstream.journal[0]?.body.messages).toEqual(MESSAGES)
  const bomb = packed({ model: MODEL, messages: [{ role: 'user', content: ' '.repeat(40 * 1024 * 1024) }] })
  expect((await sent(bomb)).status).toBe(413)
  expect((await sent(whole.slice(0, whole.size - 9))).status).toBe(400)
  const plain = await sent(new Blob(['not compressed']))
  expect([plain.status, (await plain.json()).error.message]).toEqual([400, expect.stringContaining(coding)])
  expect(upstream.journal).toHaveLength(1)
})

test.each(['gzip, br', 'lzma', '__proto__', 'constructor'])(
  'a request compressed by %s is refused by its name',
  async (coding) => {
    const { post } = await clientFixture()
    const refused = await post('/v1/chat/completions', new Blob(['x']), { headers: { 'content-encoding': coding } })
    expect([refused.status, (await refused.json()).error.message]).toEqual([400, expect.stringContaining(coding)])
  },
)

test('a browser may send a preflight, and read the answer', async () => {
  const { app, chat, channel } = await clientFixture()
  await channel(MODEL)
  const preflight = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://chat.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  const answered = await chat(MODEL, {}, { headers: { origin: 'https://chat.example.com' } })
  expect(answered.headers.get('access-control-allow-origin')).toBe('*')
  expect(answered.headers.get('access-control-expose-headers')).toBe('*')
})

test('a body is forwarded byte for byte, with unknown fields in place and only the model’s name changed', async () => {
  const { post, channel } = await clientFixture()
  let seen = ''
  const witness = Bun.serve({
    port: 0,
    async fetch(request) {
      seen = await request.text()
      return Response.json({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })
    },
  })
  await channel('mine', { base_url: witness.url.origin, model_mapping: '{"mine":"theirs"}' })
  const body =
    '{ "zeta":1.50,"messages":[{"role":"user","content":"\\u4f60\\ud83d\\ude00"}], "model" : "mine" ,"big":12345678901234567890,"n":1}'
  expect((await post('/v1/chat/completions', new Blob([body]))).status).toBe(200)
  await witness.stop(true)
  expect(seen).toBe(body.replace('"mine"', '"theirs"'))
})

const TYPED: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello there' }]
