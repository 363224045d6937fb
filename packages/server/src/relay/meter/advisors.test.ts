import { expect, test } from 'bun:test'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

const SONNET = 'claude-sonnet-4-6'
const OPUS = 'claude-opus-4-7'
const RATIOS = JSON.stringify({ [SONNET]: 1, [OPUS]: 5 })
const COMPLETION = JSON.stringify({ [SONNET]: 1, [OPUS]: 1 })

const iterations = [
  { type: 'message', input_tokens: 40, output_tokens: 60 },
  { type: 'advisor_message', model: OPUS, input_tokens: 700, output_tokens: 80 },
  { type: 'message', input_tokens: 60, output_tokens: 40 },
]
const usage = { input_tokens: 100, output_tokens: 100, iterations }
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: SONNET }
const text = { type: 'text', text: 'Well advised.' }

const whole = () => Response.json({ ...head, content: [text], stop_reason: 'end_turn', usage })

const streamed = () =>
  eventStream(
    { type: 'message_start', message: { ...head, content: [], usage: { input_tokens: 100, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: text.text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  )

const ADVISED = [{ type: 'advisor_20260301', name: 'advisor', model: OPUS }]

test.each([
  ['whole', false, ADVISED, 200 + 780 * 5],
  ['streamed', true, ADVISED, 200 + 780 * 5],
  ['by a model that the call did not name', false, [], 200 + 780],
])('an advisor call costs the price of the advisor model (%s)', async (_, stream, tools, cost) => {
  const { channel, post, onlyLog, account, app } = await relayFixture({
    options: { ModelRatio: RATIOS, CompletionRatio: COMPLETION },
  })
  const vendor = fakeVendor(() => (stream ? streamed() : whole()))
  await channel(SONNET, { type: 14, base_url: vendor.url, key: 'k' })
  const answer = await post('/v1/messages', { model: SONNET, max_tokens: 500, messages: MESSAGES, tools, stream })
  expect(await answer.text()).toContain(text.text)
  expect((await account()).used_quota).toBe(cost)
  expect(await onlyLog()).toMatchObject({ prompt_tokens: 100, completion_tokens: 100, quota: cost })
  expect(await app.audit()).toEqual([])
})
