import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { batchFixture, CLAUDE, LINE_COST, refusedBy } from '../testing/batch-fixture.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const OPUS = 'claude-opus-4-5'

async function fixture() {
  const own = await batchFixture()
  await own.channel(`${CLAUDE},${OPUS}`, { type: 14, base_url: own.vendor.url, key: 'k-claude' })
  const anthropicOf = (apiKey: string) => new Anthropic({ apiKey, baseURL: own.app.url, maxRetries: 0 })
  return { ...own, anthropicOf, anthropic: anthropicOf(own.key) }
}

const params = (model: string) => ({ model, max_tokens: 200, messages: [{ role: 'user' as const, content: 'Tides?' }] })
const requests = [
  { custom_id: 'a', params: params(CLAUDE) },
  { custom_id: 'b', params: params(OPUS) },
  { custom_id: 'c', params: params(CLAUDE) },
]

test("Anthropic's client submits a batch of two models and reads its results; each model has a log row, in one charge", async () => {
  const { anthropic, vendor, account, charges, logs, app } = await fixture()
  const before = await account()
  const { id, ...started } = await anthropic.messages.batches.create({ requests })
  expect(id).toMatch(/^msgbatch_[0-9a-f]{32}$/)
  expect(started).toMatchObject({ type: 'message_batch', processing_status: 'in_progress', results_url: null })
  expect(await refusedBy(anthropic.messages.batches.results(id))).toMatchObject({ message: expect.any(String) })
  vendor.end('ended')
  const ended = await anthropic.messages.batches.retrieve(id)
  expect(ended).toMatchObject({ id, processing_status: 'ended' })
  const ids: string[] = []
  for await (const { custom_id, result } of await anthropic.messages.batches.results(id)) {
    ids.push(`${custom_id} ${result.type}`)
  }
  expect(ids).toEqual(['a succeeded', 'b succeeded', 'c succeeded'])
  // The second model costs twice as much.
  const cost = 2 * LINE_COST + 2 * LINE_COST
  expect(await account()).toMatchObject({ quota: before.quota - cost, held: 0, request_count: 1 })
  expect(await charges()).toMatchObject([{ ref: id, delta: -cost }])
  expect((await logs()).map(({ model_name, quota, detail }) => [model_name, quota, detail.batch.answered])).toEqual([
    [CLAUDE, 2 * LINE_COST, 2],
    [OPUS, 2 * LINE_COST, 1],
  ])
  const figures = await upToDateFigures(app.db)
  const sums = figures.selectFrom('usage_models').select(['model_name', 'quota', 'request_count'])
  expect(await sums.where('quota', '>', 0).orderBy('model_name').execute()).toEqual([
    { model_name: CLAUDE, quota: 2 * LINE_COST, request_count: 1 },
    { model_name: OPUS, quota: 2 * LINE_COST, request_count: 0 },
  ])
  expect(await app.audit()).toEqual([])

  expect((await anthropic.messages.batches.list()).data.map((batch) => batch.id)).toEqual([id])
  expect(await anthropic.messages.batches.delete(id)).toEqual({ id, type: 'message_batch_deleted' })
  expect(vendor.batches.size).toBe(0)
  expect(await refusedBy(anthropic.messages.batches.retrieve(id))).toMatchObject({ status: 404 })
  expect(await app.audit()).toEqual([])
})

test('a message batch that is cancelled halfway costs the completed lines, by the job', async () => {
  const { anthropic, vendor, account, follow, app } = await fixture()
  const before = await account()
  const { id } = await anthropic.messages.batches.create({ requests })
  expect(await refusedBy(anthropic.messages.batches.delete(id))).toMatchObject({ status: 409 })
  expect(await anthropic.messages.batches.cancel(id)).toMatchObject({ id, processing_status: 'canceling' })
  vendor.end('ended', 1)
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - LINE_COST, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('an invalid message batch is refused with a message, and other users find nothing', async () => {
  const { anthropic, anthropicOf, vendor, app, account } = await fixture()
  const before = await account()
  const wrong: [unknown[], string][] = [
    [[], 'there is no request at all'],
    [[requests[0], requests[0]], 'the custom_id a is there twice'],
    [[{ custom_id: 'a', params: params('gpt-4o-mini') }], 'No channel offers batches for these models'],
    [[requests[0], { custom_id: 'b', params: params('nobody') }], 'Request 2 of the batch'],
  ]
  for (const [asked, sentence] of wrong) {
    const body = { requests: asked as typeof requests }
    expect(await refusedBy(anthropic.messages.batches.create(body))).toMatchObject({
      ...{ status: 400, message: expect.stringContaining(sentence) },
    })
  }
  expect(vendor.asked).toEqual([])
  const { id } = await anthropic.messages.batches.create({ requests })
  const other = anthropicOf(await keyOf((await makeUser(app, { quota: 1_000_000 })).client))
  const asked = vendor.asked.length
  for (const ask of [
    () => other.messages.batches.retrieve(id),
    () => other.messages.batches.cancel(id),
    () => other.messages.batches.delete(id),
  ]) {
    const error = await refusedBy(ask())
    expect(error).toMatchObject({ status: 404, error: { type: 'error', error: { type: 'not_found_error' } } })
  }
  expect(vendor.asked.length).toBe(asked)
  expect((await account()).quota).toBe(before.quota)
})

test('a balance that is too small for a message batch is refused in Anthropic’s format, with the amount', async () => {
  const { anthropicOf, app, vendor } = await fixture()
  const poor = await makeUser(app, { quota: 100 })
  expect(await refusedBy(anthropicOf(await keyOf(poor.client)).messages.batches.create({ requests }))).toMatchObject({
    ...{ status: 402, message: expect.stringContaining('which needs') },
  })
  expect(vendor.batches.size).toBe(0)
  expect(await app.audit()).toEqual([])
})
