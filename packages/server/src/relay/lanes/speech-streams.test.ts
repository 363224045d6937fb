import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeChannel } from '../../testing/channel-makers.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const encoder = new TextEncoder()

/** A second of audio at 64 kbit/s, which begins like an MP3. */
const SECOND = Buffer.concat([Buffer.from([0xff, 0xfb, 0x50, 0xc0]), Buffer.alloc(8000 - 4)])
const event = (body: object) => encoder.encode(`data: ${JSON.stringify(body)}\n\n`)
const DELTA = event({ type: 'speech.audio.delta', audio: 'A'.repeat(64_000 / 3) })
const DONE = event({ type: 'speech.audio.done', usage: { input_tokens: 10, output_tokens: 1000, total_tokens: 1010 } })

/** A vendor that sends the first chunk at once, and the rest on demand. */
const slowVendor = (type: string, first: Uint8Array, rest: readonly Uint8Array[], end: 'close' | 'error' = 'close') => {
  const gate = Promise.withResolvers<void>()
  const vendor = fakeVendor(() => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(first)
        await gate.promise
        try {
          for (const piece of rest) controller.enqueue(piece)
          if (end === 'close') controller.close()
          else controller.error(new Error('The wire was cut'))
        } catch {
          // The gateway has disconnected.
        }
      },
    })
    return new Response(body, { headers: { 'content-type': type } })
  })
  return { url: vendor.url, goOn: gate.resolve }
}

const fixture = async (model: string, url: string) => {
  const relay = await relayFixture()
  await makeChannel(relay.root, { type: 1, base_url: url, models: model })
  const speak = (fields: object = {}, signal?: AbortSignal) => {
    const body = { model, input: 'High tide is at six.', voice: 'alloy', ...fields }
    return relay.post('/v1/audio/speech', body, signal === undefined ? {} : { signal })
  }
  return { ...relay, speak }
}

const CHARACTERS = 20

test.each([
  { kind: 'sound', type: 'audio/mpeg', first: SECOND, rest: [SECOND], fields: {} },
  { kind: 'events', type: 'text/event-stream', first: DELTA, rest: [DELTA, DONE], fields: { stream_format: 'sse' } },
])('speech is forwarded as it arrives, and ends when it is charged ($kind)', async ({ type, first, rest, fields }) => {
  const vendor = slowVendor(type, first, rest)
  const { app, speak, onlyLog } = await fixture('gpt-4o-mini-tts', vendor.url)
  const answer = await speak(fields)
  expect(answer.headers.get('content-type')).toBe(type)
  const reader = answer.body?.getReader()
  let received = (await reader?.read())?.value?.length ?? 0
  expect(received).toBeGreaterThan(0)
  vendor.goOn()
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read())
    received += piece.value.length
  expect(received).toBe([first, ...rest].reduce((sum, { length }) => sum + length, 0))
  const { quota, detail } = await onlyLog()
  // Two seconds are 42 tokens at 6, or as many as are reported; the text is charged in addition.
  expect(detail.usage.audioOutput ?? detail.usage.output).toBe(type === 'audio/mpeg' ? 42 : 1000)
  expect(quota).toBe(type === 'audio/mpeg' ? Math.ceil(42 * 6 + detail.usage.input * 0.3) : 6003)
  expect(await app.audit()).toEqual([])
})

test.each([
  { model: 'tts-1', type: 'audio/mpeg', first: SECOND, fields: {}, usage: { characters: CHARACTERS } },
  { model: 'gpt-4o-mini-tts', type: 'audio/mpeg', first: SECOND, fields: {}, usage: { audioOutput: 21 } },
  {
    ...{ model: 'gpt-4o-mini-tts', type: 'audio/pcm', first: Buffer.alloc(48_000) },
    ...{ fields: { response_format: 'pcm' }, usage: { audioOutput: 21 } },
  },
  {
    ...{ model: 'gpt-4o-mini-tts', type: 'text/event-stream', first: DELTA },
    ...{ fields: { stream_format: 'sse' }, usage: { audioOutput: 21 } },
  },
])('a client that disconnects from speech pays what was sold or delivered: $model as $type', async (bill) => {
  const { model, type, first, fields, usage } = bill
  const vendor = slowVendor(type, first, [])
  const { app, speak, onlyLog, atRest, account } = await fixture(model, vendor.url)
  const caller = new AbortController()
  const answer = await speak(fields, caller.signal)
  const reader = answer.body?.getReader()
  // A span of audio may arrive in several chunks.
  for (let received = 0; received < first.length; ) received += (await reader?.read())?.value?.length ?? first.length
  caller.abort()
  await atRest()
  vendor.goOn()
  const log = await onlyLog()
  expect(log.detail).toMatchObject({ flag: 'client_abort', usage })
  expect(log.quota).toBeGreaterThan(0)
  expect(await account()).toMatchObject({ held: 0, used_quota: log.quota })
  expect(await app.audit()).toEqual([])
})

test('interrupted audio is not a complete file to the client, and is charged as far as it was delivered', async () => {
  const vendor = slowVendor('audio/mpeg', SECOND, [], 'error')
  const { speak, onlyLog, atRest } = await fixture('gpt-4o-mini-tts', vendor.url)
  const answer = await speak()
  vendor.goOn()
  await expect(answer.arrayBuffer()).rejects.toThrow()
  await atRest()
  expect((await onlyLog()).detail).toMatchObject({ flag: 'partial', usage: { audioOutput: 21 } })
})
