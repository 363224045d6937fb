import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { type RelayFixture, relayFixture } from '../../testing/relay-fixture.ts'
import { wavOf } from '../../testing/sample-files.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/** Calls that are not sold by the token, and their list price: a dollar is 500,000 quota. */
const CALLS: Record<string, { cost: number; answer: object; call(relay: RelayFixture): Promise<Response> }> = {
  'rerank-v3.5': {
    cost: 1000,
    answer: { results: [{ index: 0, relevance_score: 0.9 }] },
    call: ({ post }) => post('/v1/rerank', { model: 'rerank-v3.5', query: 'which?', documents: ['a', 'b'] }),
  },
  'dall-e-3': {
    cost: 20_000,
    answer: { created: 1, data: [{ url: 'https://pictures.example/1.png' }] },
    call: ({ post }) => post('/v1/images/generations', { model: 'dall-e-3', prompt: 'The tide' }),
  },
  'whisper-1': {
    cost: 3000,
    answer: { text: 'The tide is high.' },
    call({ post }) {
      const form = new FormData()
      form.set('model', 'whisper-1')
      form.set('file', new File([wavOf({ seconds: 60, rate: 16_000 })], 'minute.wav'))
      return post('/v1/audio/transcriptions', form)
    },
  },
  'tts-1': {
    cost: 60,
    answer: {},
    call: ({ post }) => post('/v1/audio/speech', { model: 'tts-1', input: 'The tide', voice: 'alloy' }),
  },
}

const REPORTS = [
  undefined,
  {},
  { total_tokens: 7 },
  { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
]

test.each(Object.keys(CALLS))('%s costs what it is sold by, whatever tokens a vendor reports', async (model) => {
  const { cost, answer, call } = CALLS[model] ?? expect.unreachable()
  let usage: object | undefined
  const vendor = fakeVendor(() => Response.json({ ...answer, ...(usage !== undefined && { usage }) }))
  const relay = await relayFixture()
  await relay.channel(model, { type: 8, base_url: vendor.url })
  for (usage of REPORTS) expect(await (await call(relay)).bytes()).not.toBeEmpty()
  await relay.atRest()
  expect((await relay.charges()).map(({ delta }) => delta)).toEqual(REPORTS.map(() => -cost))
  expect(await relay.app.audit()).toEqual([])
})
