import { expect, setDefaultTimeout, test } from 'bun:test'
import { eventStream, fakeVendor } from '../testing/fake-vendor.ts'
import { ASKS_COST, MESSAGES, readStream, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Streams that cost more than the balance. Every token costs 1; a word is four bytes, which count as one. */

const PROMPT = 6
/** The hold for it: the most that it may count. */
const HELD_PROMPT = 12
const EACH_TOKEN_COSTS_1 = { ModelRatio: '{"m":1}', CompletionRatio: '{"m":1}' }

const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
})

/** All of its events arrive in one network chunk. */
const chatVendor = (words: number) =>
  fakeVendor(() => eventStream(...Array.from({ length: words }, () => chunk({ content: ' sea' })), chunk({}, 'stop')))

const anthropicVendor = (words: number) => {
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' sea' } }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
  return fakeVendor(() =>
    eventStream(
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...Array.from({ length: words }, () => delta),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ),
  )
}

const LANES: [string, number, typeof chatVendor][] = [
  ['passed', 8, chatVendor],
  ['translated', 14, anthropicVendor],
]

async function fixtureOf({ quota, held, type, url }: { quota: number; held: number; type: number; url: string }) {
  const options = { ...EACH_TOKEN_COSTS_1, PreConsumedQuota: held - HELD_PROMPT }
  const fixture = await relayFixture({ quota, options })
  await fixture.channel('m', { type, base_url: url, key: 'k' })
  return { ...fixture, stream: () => fixture.post('/v1/chat/completions', BODY, ASKS_COST) }
}

const BODY = { model: 'm', stream: true, messages: MESSAGES }

test.each(LANES)('a stream continues to the end of the balance (%s)', async (_, type, vendor) => {
  const { stream, account, onlyLog, app } = await fixtureOf({ quota: 190, held: 107, type, url: vendor(2000).url })
  const { error, content, cost } = await readStream(await stream())
  expect(error).toMatchObject({ code: 'insufficient_quota' })
  const words = content.length / 4
  expect(words).toBeWithin(190 - PROMPT, 190 - PROMPT + 2)
  expect(cost).toMatchObject({ cost: PROMPT + words })
  expect(await account()).toMatchObject({ quota: 190 - PROMPT - words, held: 0 })
  expect((await onlyLog()).detail).toMatchObject({ flag: 'quota_end' })
  expect(await app.audit()).toEqual([])
})

test.each(LANES)('a burst of events overruns by at most one of them (%s)', async (_, type, vendor) => {
  const { stream, account, app } = await fixtureOf({ quota: 17, held: 17, type, url: vendor(5000).url })
  const { content, cost } = await readStream(await stream())
  expect(content.length / 4).toBeWithin(17 - PROMPT, 17 - PROMPT + 2)
  expect(cost.cost).toBeWithin(17, 19)
  expect((await account()).quota).toBeGreaterThanOrEqual(-1)
  expect(await app.audit()).toEqual([])
})

test.each(LANES)('a burst that the balance covers arrives completely (%s)', async (_, type, vendor) => {
  const { stream, app } = await fixtureOf({ quota: 1_000_000, held: 13, type, url: vendor(5000).url })
  const { content, error, done, cost } = await readStream(await stream())
  expect({ error, done, words: content.length / 4 }).toEqual({ error: undefined, done: true, words: 5000 })
  expect(cost).toMatchObject({ cost: PROMPT + 5000 })
  expect(await app.audit()).toEqual([])
})

test.each(LANES)('an answer that ends with the last of the balance is complete (%s)', async (_, type, vendor) => {
  const { stream, account, app } = await fixtureOf({ quota: 106, held: 106, type, url: vendor(100).url })
  expect(await readStream(await stream())).toMatchObject({ done: true, error: undefined, cost: { cost: 106 } })
  expect(await account()).toMatchObject({ quota: 0, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('what one stream releases is enough for another: neither is cut while the other can be paid', async () => {
  const { stream, account, charges, app } = await fixtureOf({
    ...{ quota: 400, held: 20, type: 8, url: chatVendor(150).url },
  })
  const both = await Promise.all([stream(), stream()])
  for (const response of both) expect(await readStream(response)).toMatchObject({ done: true, error: undefined })
  expect(await charges()).toMatchObject([{ delta: -156 }, { delta: -156 }])
  expect(await account()).toMatchObject({ quota: 400 - 312, held: 0 })
  expect(await app.audit()).toEqual([])
})
