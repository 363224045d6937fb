import { expect, setDefaultTimeout, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { providerOf } from '@tollgate/providers'
import { batchFixture, batchOf, chatLine, chatLines, refusedBy } from '../testing/batch-fixture.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf } from '../testing/relay-fixture.ts'
import { BATCH_VENDORS, type BatchVendor } from '../testing/vendors/batch-apis.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/** The promises of batches, kept with every channel type that offers them. */
const overVendors = (promise: string, keep: (vendor: BatchVendor, lineCost: number) => Promise<void>) => {
  // 150 tokens at a ratio of 2.
  for (const one of BATCH_VENDORS) test(`${one.name}: ${promise}`, () => keep(one, Math.round(300 * one.times)))
}

test('the vendors of these tests are all that offer batches with files', () => {
  const offering = CHANNEL_TYPES.filter(({ value }) => providerOf(value)?.batches?.dialect === 'openai')
  expect(offering.map(({ value }) => value)).toEqual([...new Set(BATCH_VENDORS.map(({ type }) => type))])
})

overVendors('a batch is submitted, polled, read and charged once at the batch price', async (one, lineCost) => {
  const { openai, upload, vendor, follow, account, onlyLog, charges, app } = await batchFixture({}, one)
  const before = await account()
  const { id: file } = await upload(chatLines(3, { model: one.model, user: 'me' }))
  const batch = await openai.batches.create({ ...batchOf(file), metadata: { of: 'tides' } })
  expect(batch).toMatchObject({
    ...{ object: 'batch', status: 'validating', endpoint: '/v1/chat/completions', input_file_id: file },
    ...{ output_file_id: null, error_file_id: null, completion_window: '24h', metadata: { of: 'tides' } },
  })
  expect(batch.id).toMatch(/^batch_[0-9a-f]{32}$/)
  expect((await account()).held).toBeGreaterThanOrEqual(3 * lineCost)
  expect((await openai.files.retrieve(file)).purpose).toBe('batch')
  for (const running of vendor.batches.values()) running.status = 'in_progress'
  await follow()
  expect((await openai.batches.retrieve(batch.id)).status).toBe('in_progress')
  expect(await charges()).toEqual([])

  vendor.end('completed')
  const ended = await openai.batches.retrieve(batch.id)
  expect(ended).toMatchObject({ id: batch.id, status: 'completed', input_file_id: file, metadata: { of: 'tides' } })
  expect(ended.output_file_id).toMatch(/^file-[0-9a-f]{32}$/)
  const lines = (await (await openai.files.content(ended.output_file_id ?? '')).text()).split('\n')
  expect(lines.map((line) => JSON.parse(line).custom_id)).toEqual(['line-0', 'line-1', 'line-2'])
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 3 * lineCost, held: 0, request_count: 1 })
  expect(await charges()).toMatchObject([{ ref: batch.id, delta: -3 * lineCost }])
  expect(await onlyLog()).toMatchObject({
    ...{ type: 2, model_name: one.model, quota: 3 * lineCost, outcome: 'success' },
    detail: { service_tier: 'batch', batch: { status: 'completed', requests: 3, answered: 3, unreported: 0 } },
  })
  // A URL of results is not the vendor's API, and gets no key.
  const sent = vendor.asked.filter(({ path }) => !path.startsWith('/outputs/')).map(({ key }) => key)
  expect(new Set(sent)).toEqual(new Set([one.type === 16 ? 'id' : one.key]))
  expect(await app.audit()).toEqual([])
})

overVendors('a cancelled batch costs the lines that were answered', async (one, lineCost) => {
  const { openai, begin, vendor, follow, account, onlyLog, app } = await batchFixture({}, one)
  const before = await account()
  const { id } = await begin(4)
  expect(await openai.batches.cancel(id)).toMatchObject({ id, status: 'cancelling' })
  await follow()
  expect((await account()).held).toBeGreaterThan(0)
  vendor.end('cancelled', 2)
  const ended = await openai.batches.retrieve(id)
  expect(ended.status).toBe('cancelled')
  expect(await (await openai.files.content(ended.error_file_id ?? '')).text()).toContain('line-3')
  expect(await account()).toMatchObject({ quota: before.quota - 2 * lineCost, held: 0 })
  expect((await onlyLog()).detail.batch).toMatchObject({ status: 'cancelled', requests: 4, answered: 2 })
  expect(await app.audit()).toEqual([])
})

overVendors('a batch that fails or expires without an answer costs nothing, and the log says why', async (one) => {
  const { begin, openai, vendor, follow, account, logs, app } = await batchFixture({}, one)
  const before = await account()
  for (const status of ['failed', 'expired'] as const) {
    const { id } = await begin(2)
    vendor.end(status, 0, 'The deployment has no room')
    await follow()
    expect(await openai.batches.retrieve(id)).toMatchObject({
      status: one.api.isNeverExpired ? 'failed' : status,
      ...{ output_file_id: null, errors: { data: [{ message: 'The deployment has no room' }] } },
    })
  }
  expect(await account()).toEqual(before)
  expect((await logs()).map(({ type, quota, detail }) => [type, quota, detail.error])).toEqual([
    [6, 0, 'The deployment has no room'],
    [6, 0, 'The deployment has no room'],
  ])
  expect(await app.audit()).toEqual([])
})

overVendors(
  'a vendor that is down while the batch runs changes nothing: it is charged when it is back',
  async (one, lineCost) => {
    const { openai, begin, vendor, follow, account, app, openHolds } = await batchFixture({}, one)
    const before = await account()
    const { id } = await begin(2)
    const { held } = await account()
    vendor.end('completed')
    vendor.dies(() => new Response('<html>', { status: 502 }))
    await follow()
    expect(await refusedBy(openai.batches.retrieve(id))).toMatchObject({ status: 502 })
    app.clock.pass(86_400)
    await follow()
    expect([await openHolds(), (await account()).held]).toEqual([[expect.anything()], held])
    vendor.dies(undefined)
    await follow()
    expect(await account()).toMatchObject({ quota: before.quota - 2 * lineCost, held: 0 })
    expect(await app.audit()).toEqual([])
  },
)

overVendors('a batch whose creation was not answered is found by its file', async (one, lineCost) => {
  const { openai, begin, vendor, follow, account, app } = await batchFixture({}, one)
  const before = await account()
  vendor.breaks(() => new Response('<html>', { status: 502 }))
  expect(await refusedBy(begin(2))).toMatchObject({ status: 502 })
  app.clock.pass(301)
  await follow()
  vendor.end('completed')
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 2 * lineCost, held: 0 })
  expect((await openai.batches.list()).data).toMatchObject([{ status: 'completed' }])
  expect(await app.audit()).toEqual([])
})

overVendors(
  'what belongs to someone else, or to a channel that is gone, is refused before the vendor is asked',
  async (one) => {
    const fixture = await batchFixture({}, one)
    const { app, begin, upload, openai, clientOf, payer, vendor, account, root, channel, channelId } = fixture
    const batch = await begin(1)
    const { input_file_id: file } = batch
    const before = await account()
    const asked = vendor.asked.length
    const other = clientOf(await keyOf((await makeUser(app, { quota: 1_000_000 })).client))
    for (const ask of [
      () => other.files.retrieve(file),
      () => other.files.content(file),
      () => other.files.delete(file),
      () => other.batches.create(batchOf(file)),
      () => other.batches.retrieve(batch.id),
      () => other.batches.cancel(batch.id),
    ])
      expect(await refusedBy(ask())).toMatchObject({ status: 404 })
    const made = await payer.client.post('/api/token/', {
      name: 'narrow',
      unlimited_quota: true,
      models: 'other-model',
    })
    const narrow = clientOf(`sk-${made.data.key}`)
    expect(await refusedBy(narrow.batches.create(batchOf(file)))).toMatchObject({ status: 403 })
    expect(await refusedBy(upload(chatLines(1, { model: one.model }), narrow))).toMatchObject({ status: 400 })
    // Another channel offers the model, but the file is not there.
    await channel(one.model, { type: 1, base_url: vendor.url, key: 'k-other' })
    await root.put('/api/channel/', { id: channelId, status: 2 })
    expect(await refusedBy(openai.batches.create(batchOf(file)))).toMatchObject({ status: 409 })
    expect([await account(), vendor.asked.length]).toEqual([before, asked])
  },
)

overVendors('a file for several models goes only to a vendor that takes them together', async (one) => {
  const { upload, vendor, root, channelId, openai } = await batchFixture({}, one)
  await root.put('/api/channel/', { id: channelId, models: `${one.model},second-model` })
  const lines = [chatLine('a', { model: one.model }), chatLine('b', { model: 'second-model' })]
  if (!one.isMixed) {
    expect(await refusedBy(upload(lines))).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('No channel offers batches for these models together') },
    })
    expect(vendor.asked).toEqual([])
    return
  }
  const { id } = await upload(lines)
  expect(await openai.batches.create(batchOf(id))).toMatchObject({ status: 'validating' })
})

overVendors('what the vendor does not have is refused by its name, and nothing is held', async (one) => {
  const { openai, upload, vendor, account } = await batchFixture({}, one)
  const { id } = await upload(chatLines(1, { model: one.model }))
  const before = await account()
  const output_expires_after = { anchor: 'created_at', seconds: 86_400 } as const
  const wanted = openai.batches.create({ ...batchOf(id), output_expires_after })
  if (one.api.created.includes('output_expires_after')) {
    expect(await wanted).toMatchObject({ status: 'validating' })
    return
  }
  const asked = vendor.asked.length
  expect(await refusedBy(wanted)).toMatchObject({
    ...{ status: 400, message: expect.stringContaining('output_expires_after') },
  })
  expect([await account(), vendor.asked.length]).toEqual([before, asked])
})

test('SiliconFlow: a batch may take a week, but not longer than the gateway follows it', async () => {
  const vendor = BATCH_VENDORS.find(({ name }) => name === 'SiliconFlow')
  const { openai, upload } = await batchFixture({}, vendor)
  const { id } = await upload(chatLines(1, { model: vendor?.model }))
  // The library's type knows OpenAI's window only.
  const create = (completion_window: string) => openai.batches.create(Object({ ...batchOf(id), completion_window }))
  for (const window of ['12h', '169h', '336h', '1d'])
    expect(await refusedBy(create(window))).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('completion_window') },
    })
  expect(await create('168h')).toMatchObject({ status: 'validating' })
})

test.each([
  ['pages without an end', '{"results":[],"pagination_token":"again"}'],
  ['a page without results', '{"error":"try again"}'],
])('xAI: %s are no results: the batch stays open until they can be read', async (_, page) => {
  const { begin, vendor, follow, account, openHolds, app } = await batchFixture(
    {},
    BATCH_VENDORS.find(({ name }) => name === 'xAI'),
  )
  const before = await account()
  await begin(3)
  vendor.end('completed', 2)
  vendor.serves(() => new Response(page))
  await follow()
  expect(await openHolds()).toHaveLength(1)
  vendor.serves(undefined)
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 2 * 240, held: 0 })
  expect(await app.audit()).toEqual([])
})
