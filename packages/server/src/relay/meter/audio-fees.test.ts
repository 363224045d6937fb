import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeChannel } from '../../testing/channel-makers.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* What OpenAI does not sell by the token: a minute of audio for 3000, a million characters for 7.5 each. */

const audioForm = (seconds: number, fields: Record<string, string> = {}) => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(seconds * 16_000)]), 'speech.mp3')
  for (const [name, value] of Object.entries({ model: 'whisper-1', ...fields })) form.set(name, value)
  return form
}

test('audio is charged by its duration, as reported by the vendor or stated in the file', async () => {
  const { app, root, post, logs } = await relayFixture()
  const answers = [
    Response.json({ text: 'High tide.', usage: { type: 'duration', seconds: 60 } }),
    new Response('High tide is at six.', { headers: { 'content-type': 'text/plain' } }),
  ]
  const vendor = fakeVendor(() => answers.shift() ?? new Response('', { status: 500 }))
  await makeChannel(root, { type: 1, base_url: vendor.url, models: 'whisper-1' })
  await (await post('/v1/audio/transcriptions', audioForm(60))).text()
  await (await post('/v1/audio/transcriptions', audioForm(2, { response_format: 'text' }))).text()
  const [timed, read] = await logs()
  expect(timed).toMatchObject({ quota: 3000, detail: { source: 'reported', usage: { audioInput: 600 } } })
  expect(read).toMatchObject({ quota: 100, detail: { source: 'estimated', usage: { audioInput: 20 } } })
  expect(app.holds().map(({ amount }) => amount)).toEqual([3000, 100])
})

test('an operator’s ratio for audio applies to its text, and its duration keeps the proportion', async () => {
  const { root, post, onlyLog } = await relayFixture({ options: { ModelRatio: '{"whisper-1":30}' } })
  const vendor = fakeVendor(() => Response.json({ text: 'High tide.', usage: { type: 'duration', seconds: 60 } }))
  await makeChannel(root, { type: 1, base_url: vendor.url, models: 'whisper-1' })
  await (await post('/v1/audio/transcriptions', audioForm(1))).text()
  expect(await onlyLog()).toMatchObject({ quota: 6000, content_en: 'Ratio: 30 × 1 × 0' })
})

test.each([
  { model: 'tts-1', input: 'When is high tide?', cost: 18 * 7.5 },
  { model: 'tts-1-hd', input: '几点涨潮？', cost: 5 * 15 },
  // A character that takes two code units counts once.
  { model: 'tts-1-hd', input: '🌊🌊', cost: 2 * 15 },
  { model: 'tts-1', input: 'When is high tide?', ratio: 7.5, cost: 18 * 7.5 },
  { model: 'tts-1', input: 'x'.repeat(4096), ratio: 15, cost: 4096 * 15 },
  { model: 'some-voice', input: 'When is high tide?', ratio: 7.5, cost: 18 * 7.5 },
])('speech is charged by the character, in any script and at any ratio: $model $ratio', async (bill) => {
  const { model, input, cost, ratio } = bill
  const options = ratio === undefined ? {} : { ModelRatio: JSON.stringify({ [model]: ratio }) }
  const { app, root, post, onlyLog } = await relayFixture({ options })
  const vendor = fakeVendor(() => new Response(new Uint8Array(9), { headers: { 'content-type': 'audio/mpeg' } }))
  await makeChannel(root, { type: 1, base_url: vendor.url, models: model })
  await (await post('/v1/audio/speech', { model, input, voice: 'alloy' })).arrayBuffer()
  const { quota, prompt_tokens, detail } = await onlyLog()
  expect({ quota, prompt_tokens }).toEqual({ quota: cost, prompt_tokens: [...input].length })
  expect(detail.usage).toEqual({ characters: [...input].length })
  const [hold] = app.holds()
  expect(hold?.amount).toBe(Math.ceil(cost))
})

test('a voice priced by the token is charged by its duration, or as its last event reports', async () => {
  const { root, post, logs } = await relayFixture()
  // A minute at 64 kbit a second.
  const minute = Buffer.concat([Buffer.from([0xff, 0xfb, 0x50, 0xc0]), Buffer.alloc(480_000 - 4)])
  const usage = { input_tokens: 10, output_tokens: 1000, total_tokens: 1010 }
  const events = [
    { type: 'speech.audio.delta', audio: 'AAAA' },
    { type: 'speech.audio.done', usage },
  ]
  const answers = [
    new Response(minute, { headers: { 'content-type': 'audio/mpeg' } }),
    new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    }),
  ]
  const vendor = fakeVendor(() => answers.shift() ?? new Response('', { status: 500 }))
  await makeChannel(root, { type: 1, base_url: vendor.url, models: 'gpt-4o-mini-tts' })
  const body = { model: 'gpt-4o-mini-tts', input: 'High tide is at six.', voice: 'alloy' }
  await (await post('/v1/audio/speech', body)).arrayBuffer()
  await (await post('/v1/audio/speech', { ...body, stream_format: 'sse' })).text()
  const [spoken, reported] = await logs()
  // 1.5 cents a minute are 7,500; the text adds next to nothing.
  expect(spoken).toMatchObject({ quota: 7502, detail: { source: 'estimated', usage: { audioOutput: 1250 } } })
  expect(reported).toMatchObject({ quota: 6003, detail: { source: 'reported' } })
})
