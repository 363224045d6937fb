import { expect, setDefaultTimeout, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { recordingFixture, requestIdOf } from '../testing/recording-fixture.ts'
import { MESSAGES, readStream } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const SENTENCE = 'The bar goes up when the toll is paid.'
const GREETING = 'Hello there'

test('nothing is recorded unless the administrator has enabled it and the owner has agreed', async () => {
  const disabled = await recordingFixture({ options: { RecordingEnabled: 'false' } })
  await disabled.channel('gpt-4o-mini')
  await (await disabled.chat('gpt-4o-mini')).text()
  await (await disabled.chat('unknown')).text()
  expect(await disabled.rows()).toEqual([])
  expect((await disabled.onlyLog()).detail).not.toHaveProperty('recorded')

  const silent = await recordingFixture({ settings: null })
  await silent.channel('gpt-4o-mini')
  await (await silent.chat('gpt-4o-mini')).text()
  await (await silent.chat('gpt-4o-mini', { stream: true })).text()
  await (await silent.chat('unknown')).text()
  expect(await silent.rows()).toEqual([])
  expect(silent.app.parts.recorder.held()).toBe(0)
})

test('an owner who disables it has nothing recorded from then on', async () => {
  const { chat, channel, agree, rows } = await recordingFixture()
  await channel('gpt-4o-mini')
  await (await chat('gpt-4o-mini')).text()
  expect(await rows()).toHaveLength(1)
  await agree(null)
  await (await chat('gpt-4o-mini')).text()
  expect(await rows()).toHaveLength(1)
})

if (engine === 'postgres') {
  test('an owner who disables it does so on every node at once', async () => {
    const { app, chat, channel, agree, rows } = await recordingFixture()
    await channel('gpt-4o-mini')
    await (await chat('gpt-4o-mini')).text()
    // Its clock is frozen: it learns of the key's change by notification.
    const other = await testApp({ location: app.location, listens: true })
    const kept = async () => {
      const before = (await rows()).length
      await (await chat('gpt-4o-mini', {}, { url: other.url })).text()
      await other.parts.recorder.flush()
      return (await rows()).length - before
    }
    expect(await kept()).toBe(1)
    await agree(null)
    while ((await kept()) > 0) await Bun.sleep(5)
    expect(await kept()).toBe(0)
  })
}

const GEMINI = '/v1beta/models/gpt-4o-mini'

const DIALECTS: [name: string, path: string, body: object, operation: string][] = [
  ['chat completions', '/v1/chat/completions', { model: 'gpt-4o-mini', messages: MESSAGES }, 'chat/completions'],
  ['Responses', '/v1/responses', { model: 'gpt-4o-mini', input: GREETING }, 'responses'],
  ['Anthropic Messages', '/v1/messages', { model: 'gpt-4o-mini', max_tokens: 64, messages: MESSAGES }, 'messages'],
  [
    'Gemini',
    `${GEMINI}:generateContent`,
    { contents: [{ role: 'user', parts: [{ text: GREETING }] }] },
    'generateContent',
  ],
]

test.each(DIALECTS)('%s: both bodies are what the caller sent and received', async (_, path, body, operation) => {
  const { app, post, channel, recordingOf } = await recordingFixture()
  await channel('gpt-4o-mini')
  const response = await post(path, body)
  const got = await response.text()
  expect(got).toContain(SENTENCE)
  expect(await recordingOf(response)).toMatchObject({
    request_id: requestIdOf(response),
    operation,
    status: 200,
    is_stream: false,
    request: JSON.stringify(body),
    request_size: JSON.stringify(body).length,
    request_cut: false,
    response: got,
    response_size: got.length,
    response_cut: false,
  })
  expect(app.parts.recorder.held()).toBe(0)
  expect(await app.audit()).toEqual([])
})

const STREAMS: [name: string, path: string, body: object][] = [
  ...DIALECTS.slice(0, 3).map(([name, path, body]): [string, string, object] => [
    name,
    path,
    { ...body, stream: true },
  ]),
  ['Gemini as events', `${GEMINI}:streamGenerateContent?alt=sse`, DIALECTS[3]?.[2] ?? {}],
  ['Gemini as an array', `${GEMINI}:streamGenerateContent`, DIALECTS[3]?.[2] ?? {}],
]

test.each(STREAMS)('%s: every event of a stream is recorded as the caller received it', async (_, path, body) => {
  const { app, post, channel, recordingOf } = await recordingFixture()
  await channel('gpt-4o-mini')
  const response = await post(path, body)
  const got = await response.text()
  expect(await recordingOf(response)).toMatchObject({
    status: 200,
    is_stream: true,
    request: JSON.stringify(body),
    response: got,
    response_size: got.length,
    response_cut: false,
  })
  expect(app.parts.recorder.held()).toBe(0)
})

test('embeddings are recorded, and the log entry says that there is a recording', async () => {
  const { post, channel, recordingOf, onlyLog } = await recordingFixture()
  await channel('text-embedding-3-small')
  const response = await post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'a toll' })
  const got = await response.text()
  expect(await recordingOf(response)).toMatchObject({ operation: 'embeddings', response: got })
  expect((await onlyLog()).detail).toMatchObject({ recorded: true })
})

test("a vendor of another dialect changes nothing: the caller's side is recorded", async () => {
  const vendor = fakeVendor(() =>
    Response.json({
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: SENTENCE }],
      usage: { input_tokens: 3, output_tokens: 9 },
    }),
  )
  const { chat, channel, recordingOf } = await recordingFixture()
  await channel('claude', { type: 14, base_url: vendor.url })
  const response = await chat('claude')
  const recording = await recordingOf(response)
  expect(JSON.parse(recording.request)).toEqual({ model: 'claude', messages: MESSAGES })
  expect(JSON.parse(recording.response).choices[0].message.content).toBe(SENTENCE)
})

test('with errors only, answered calls leave nothing, and failed, refused and interrupted ones what was sent', async () => {
  const { app, post, chat, channel, rows, recordingOf } = await recordingFixture({ settings: { scope: 'errors' } })
  await channel('gpt-4o-mini,fault/bad-request,fault/server')
  await (await chat('gpt-4o-mini')).text()
  await (await chat('gpt-4o-mini', { stream: true })).text()
  expect(await rows()).toEqual([])

  for (const [model, status] of [
    ['fault/bad-request', 400],
    ['fault/server', 503],
    ['unknown', 404],
  ] as const) {
    const response = await chat(model)
    expect(response.status).toBe(status)
    const got = await response.text()
    const recording = await recordingOf(response)
    expect(recording).toMatchObject({ status, response: got })
    expect(JSON.parse(recording.request)).toEqual({ model, messages: MESSAGES })
  }
  const broken = await post('/v1/chat/completions', new Blob(['{"model": nonsense']))
  expect(broken.status).toBe(400)
  expect(await recordingOf(broken)).toMatchObject({ status: 400, request: '{"model": nonsense' })
  expect(app.parts.recorder.held()).toBe(0)
})

test('identical refusals within a minute are one entry and one recording', async () => {
  const { app, chat, rows } = await recordingFixture()
  for (let call = 0; call < 5; call++) await (await chat('unknown')).text()
  expect(await rows()).toHaveLength(1)
  expect(app.parts.recorder.held()).toBe(0)
})

test('a call whose entry is not kept is not recorded', async () => {
  const { app, chat, channel, rows } = await recordingFixture({ options: { LogConsumeEnabled: 'false' } })
  await channel('gpt-4o-mini')
  await (await chat('gpt-4o-mini')).text()
  await (await chat('gpt-4o-mini', { stream: true })).text()
  expect(await rows()).toEqual([])
  expect(app.parts.recorder.held()).toBe(0)
})

test('for a client that disconnects, what was delivered until then is recorded', async () => {
  const event = (content: string) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
  const gate = Promise.withResolvers<void>()
  const vendor = fakeVendor(() => {
    const body = new ReadableStream<string>({
      start: (controller) => controller.enqueue(event('first words')),
      pull: async (controller) => {
        await gate.promise
        controller.enqueue(event('never delivered'))
        controller.close()
      },
    })
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } })
  })
  const { app, chat, channel, recordingOf, atRest } = await recordingFixture()
  await channel('m', { base_url: vendor.url })
  const client = new AbortController()
  const response = await chat('m', { stream: true }, { signal: client.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('first words')) text += (await reader?.read())?.value ?? ''
  client.abort()
  while (app.openRequests() > 0) await Bun.sleep(5)
  gate.resolve()
  await atRest()
  const recording = await recordingOf(response)
  expect(recording).toMatchObject({ is_stream: true, status: 200 })
  expect(recording.response).toContain('first words')
  expect(recording.response).not.toContain('never delivered')
  expect(app.parts.recorder.held()).toBe(0)
  expect(await app.audit()).toEqual([])
})

test('a stream that the vendor breaks off is an error, and recorded with what the caller got', async () => {
  const { chat, channel, recordingOf } = await recordingFixture({ settings: { scope: 'errors' } })
  await channel('fault/error-mid')
  const response = await chat('fault/error-mid', { stream: true })
  const { text } = await readStream(response)
  expect(await recordingOf(response)).toMatchObject({ is_stream: true, response: text })
})

test('speech and audio are recorded by their size', async () => {
  const { post, channel, recordingOf } = await recordingFixture()
  await channel('tts-1,whisper-1,gpt-image-1')
  const spoken = await post('/v1/audio/speech', { model: 'tts-1', input: 'hello', voice: 'alloy' })
  await spoken.bytes()
  expect(await recordingOf(spoken)).toMatchObject({ response: '[audio/mpeg: 2048 bytes]', response_size: 2048 })

  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('prompt', 'A toll')
  form.set('file', new File([new Uint8Array(5000)], 'private-name.mp3', { type: 'audio/mpeg' }))
  const received = await post('/v1/audio/transcriptions', form)
  await received.text()
  const { request } = await recordingOf(received)
  expect(JSON.parse(request)).toEqual({ model: 'whisper-1', prompt: 'A toll', file: '[audio/mpeg: 5000 bytes]' })

  const drawn = await post('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a toll bar' })
  await drawn.text()
  expect((await recordingOf(drawn)).response).toMatch(/"b64_json":"\[base64: \d{4} bytes\]"/)
})

test('images in a conversation are recorded by type and size, whatever the dialect calls them', async () => {
  const { post, channel, recordingOf } = await recordingFixture()
  await channel('gpt-4o-mini')
  const picture = Buffer.from(crypto.getRandomValues(new Uint8Array(90))).toString('base64')
  const url = `data:image/png;base64,${picture}`
  const bodies: [string, object][] = [
    [
      '/v1/chat/completions',
      { model: 'gpt-4o-mini', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
    ],
    [
      '/v1/responses',
      { model: 'gpt-4o-mini', input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
    ],
    [
      '/v1/messages',
      {
        ...{ model: 'gpt-4o-mini', max_tokens: 64 },
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }],
          },
        ],
      },
    ],
    [
      `${GEMINI}:generateContent`,
      { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: picture } }] }] },
    ],
  ]
  for (const [path, body] of bodies) {
    const response = await post(path, body)
    await response.text()
    const { request, request_cut } = await recordingOf(response)
    expect(request).not.toContain(picture)
    expect(request).toMatch(/\[(image\/png|base64): 90 bytes\]/)
    expect(request_cut).toBe(false)
    JSON.parse(request)
  }
})

test('a body is no longer than agreed, nor than the administrator allows, and shows what is missing', async () => {
  const { chat, channel, recordingOf } = await recordingFixture({
    settings: { size: 4096 },
    options: { RecordingSizeMax: '8' },
  })
  await channel('gpt-4o-mini,say/2000')
  const long = 'one two three '.repeat(5000)
  const response = await chat('gpt-4o-mini', {
    messages: [
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: long },
    ],
  })
  await response.text()
  const { request, request_size, request_cut } = await recordingOf(response)
  expect(request_cut).toBe(true)
  expect(request_size).toBeGreaterThan(70_000)
  expect(Buffer.byteLength(request)).toBeLessThanOrEqual(8192)
  const [system, user] = JSON.parse(request).messages
  expect(system).toEqual({ role: 'system', content: 'Be kind' })
  expect(user.content).toMatch(/^one two three .*… \[\d+ more characters\]$/)

  const streamed = await chat('say/2000', { stream: true })
  const got = await streamed.text()
  const kept = await recordingOf(streamed)
  expect(kept.response_cut).toBe(true)
  expect(kept.response_size).toBe(Buffer.byteLength(got))
  const [start, mark] = kept.response.split('\n… ')
  expect(got.startsWith(start ?? 'nothing')).toBe(true)
  expect(mark).toBe(`[${got.length - 8192} more bytes]`)
})
