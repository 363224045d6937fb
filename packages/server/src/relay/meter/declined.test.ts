import { expect, test } from 'bun:test'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, PLAIN_AND_STREAM, relayFixture } from '../../testing/relay-fixture.ts'

/* What Claude's safety classifiers decline: answered by a fallback model of the vendor's at its own price, or refused for free. */

const FABLE = 'claude-fable-5'
const OPUS = 'claude-opus-4-8'
const PRICES = {
  ModelRatio: JSON.stringify({ [FABLE]: 2, [OPUS]: 1 }),
  CompletionRatio: JSON.stringify({ [FABLE]: 1, [OPUS]: 1 }),
}

const text = 'High tide is at noon.'
const counts = (input: number, output: number, cached = 0, written = 0) => ({
  ...{ input_tokens: input, output_tokens: output, cache_read_input_tokens: cached },
  cache_creation_input_tokens: written,
})
const declined = (output: number) => ({ type: 'message', model: FABLE, ...counts(500, output) })
const served = (input: number, output: number) => ({ type: 'fallback_message', model: OPUS, ...counts(input, output) })
const handover = { type: 'fallback', from: { model: FABLE }, to: { model: OPUS } }

interface Reply {
  /** What the first event reports, in a stream. */
  begins: object
  usage: object
  stop?: object
  content?: object[]
}

const reply = ({ begins, usage, stop = { stop_reason: 'end_turn' }, content = [{ type: 'text', text }] }: Reply) => {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: OPUS }
  return ({ stream }: { stream: boolean }) =>
    stream
      ? eventStream(
          { type: 'message_start', message: { ...head, content: [], usage: begins } },
          ...content.flatMap((content_block, index) => [
            { type: 'content_block_start', index, content_block },
            { type: 'content_block_stop', index },
          ]),
          { type: 'message_delta', delta: stop, usage },
          { type: 'message_stop' },
        )
      : Response.json({ ...head, content, ...stop, usage })
}

const fallback = (name: string, cost: number, iterations: object[], begins = counts(100, 1)) => ({
  name,
  cost,
  answer: reply({
    begins,
    usage: { ...counts(100, 40), iterations },
    content: [handover, { type: 'text', text }],
  }),
})

const SERVED = [
  fallback('before any words', 140, [declined(0), served(100, 40)]),
  fallback('in the middle', 140 + 2 * 520, [declined(20), served(100, 40)], counts(5, 1, 495, 700)),
  fallback('in an earlier turn', 140, [served(100, 40)]),
  fallback('and used tools of the vendor', 140, [
    { type: 'message', model: OPUS, ...counts(60, 10) },
    { type: 'fallback_message', model: OPUS, ...counts(40, 30) },
  ]),
]

test.each(SERVED.flatMap((one) => PLAIN_AND_STREAM.map((how) => ({ ...one, ...how }))))(
  'a fallback model of the vendor answers at its own price: declined $name ($way)',
  async ({ answer, cost, stream }) => {
    const { channel, post, onlyLog, account, app } = await relayFixture({ options: PRICES })
    const vendor = fakeVendor(() => answer({ stream }))
    await channel(FABLE, { type: 14, base_url: vendor.url, key: 'k' })
    const fallbacks = [{ model: OPUS }]
    const body = { model: FABLE, max_tokens: 500, messages: MESSAGES, fallbacks, stream }
    expect(await (await post('/v1/messages', body)).text()).toContain(text)
    expect((await account()).used_quota).toBe(cost)
    expect(await onlyLog()).toMatchObject({ model_name: OPUS, prompt_tokens: 100, completion_tokens: 40, quota: cost })
    expect((await onlyLog()).detail).toMatchObject({ requested_model: FABLE })
    expect(await app.audit()).toEqual([])
  },
)

test('a model that the caller allowed nobody to replace keeps its price, whatever the vendor says', async () => {
  const { channel, post, account } = await relayFixture({ options: PRICES })
  const { answer } = fallback('', 0, [served(100, 40)])
  const vendor = fakeVendor(() => answer({ stream: false }))
  await channel(FABLE, { type: 14, base_url: vendor.url, key: 'k' })
  await (await post('/v1/messages', { model: FABLE, max_tokens: 500, messages: MESSAGES })).text()
  expect((await account()).used_quota).toBe(2 * 140)
})

const refusal = (category: string | null, output: number, more: object = {}) =>
  reply({
    begins: counts(300, 0),
    usage: { ...counts(300, output), ...more },
    stop: { stop_reason: 'refusal', stop_details: { type: 'refusal', category, explanation: 'Declined.' } },
    content: output === 0 ? [] : [{ type: 'text', text }],
  })

const REFUSED = [
  { name: 'before any words', answer: refusal('cyber', 0), cost: 0 },
  { name: 'before any words, without a category', answer: refusal(null, 0), cost: 0 },
  { name: 'for a category that is billed', answer: refusal('reasoning_extraction', 0), cost: 2 * 300 },
  { name: 'after some words', answer: refusal('cyber', 8), cost: 2 * 308 },
  {
    name: 'after the conversation was summed up',
    answer: refusal('cyber', 0, { iterations: [{ type: 'compaction', ...counts(50, 10) }] }),
    cost: 2 * 360,
  },
]

const CALLERS = [
  { path: '/v1/messages', more: { max_tokens: 500 } },
  { path: '/v1/chat/completions', more: {} },
]

test.each(
  REFUSED.flatMap((one) => CALLERS.flatMap((caller) => PLAIN_AND_STREAM.map((how) => ({ ...one, ...caller, ...how })))),
)('a refusal costs what the vendor bills: $name ($path, $way)', async ({ answer, cost, path, more, stream }) => {
  const { channel, post, account, onlyLog, app } = await relayFixture({ options: PRICES })
  const vendor = fakeVendor(() => answer({ stream }))
  await channel(FABLE, { type: 14, base_url: vendor.url, key: 'k' })
  const response = await post(path, { model: FABLE, messages: MESSAGES, ...more, stream })
  expect(response.status).toBe(200)
  expect(await response.text()).toMatch(/"refusal"|"content_filter"/)
  expect((await account()).used_quota).toBe(cost)
  expect((await onlyLog()).detail).toMatchObject({ source: 'reported' })
  expect(await app.audit()).toEqual([])
})
