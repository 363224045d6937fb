import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { batchFixture, CLAUDE, MINI, refusedBy } from '../testing/batch-fixture.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf } from '../testing/relay-fixture.ts'
import { azureApi } from '../testing/vendors/batch-apis.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const USAGE = { input_tokens: 100, output_tokens: 50, total_tokens: 150 }
/** 150 tokens at a ratio of 2: background responses have no discount. */
const COST = 300
const asked = { model: MINI, input: 'Tell me of tides', background: true, max_output_tokens: 200 } as const

const AZURE = { type: 3, model: MINI, key: 'k-azure', base: '' }
const VENDORS = {
  OpenAI: undefined,
  'Azure, dated': {
    ...{ ...AZURE, other: '2025-04-01-preview', api: azureApi('/openai', { 'api-version': '2025-04-01-preview' }) },
  },
  'Azure, undated': { ...AZURE, base: '/openai/v1', api: azureApi('/openai/v1', {}) },
}

test.each(Object.entries(VENDORS))(
  '%s: a background response answers at once, is fetched when it is done, and is charged then',
  async (_, from) => {
    const { openai, vendor, account, onlyLog, app } = await batchFixture({}, from)
    const before = await account()
    const queued = await openai.responses.create(asked)
    expect(queued).toMatchObject({ status: 'queued', model: MINI })
    expect(await account()).toMatchObject({ quota: before.quota })
    expect((await account()).held).toBeGreaterThan(0)
    vendor.endResponse('in_progress', null)
    expect(await openai.responses.retrieve(queued.id)).toMatchObject({ id: queued.id, status: 'in_progress' })
    vendor.endResponse('completed', USAGE)
    expect(await openai.responses.retrieve(queued.id)).toMatchObject({ status: 'completed', usage: USAGE })
    expect(await account()).toMatchObject({ quota: before.quota - COST, held: 0, request_count: 1 })
    const vendorAsked = vendor.asked.length
    expect(await openai.responses.retrieve(queued.id)).toMatchObject({ status: 'completed' })
    expect(vendor.asked.length).toBe(vendorAsked)
    expect(await onlyLog()).toMatchObject({ model_name: MINI, quota: COST, detail: { batch: { status: 'completed' } } })
    await openai.responses.delete(queued.id)
    expect(vendor.responses.size).toBe(0)
    expect(await refusedBy(openai.responses.retrieve(queued.id))).toMatchObject({ status: 404 })
    expect(await app.audit()).toEqual([])
  },
)

test('a background response that nobody fetches is charged by the job, and a cancelled one costs what is reported', async () => {
  const { openai, vendor, account, follow, app } = await batchFixture()
  const before = await account()
  await openai.responses.create(asked)
  vendor.endResponse('completed', USAGE)
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - COST, held: 0 })

  const second = await openai.responses.create(asked)
  expect(await openai.responses.cancel(second.id)).toMatchObject({ id: second.id, status: 'cancelled' })
  expect(await account()).toMatchObject({ quota: before.quota - COST, held: 0 })
  expect(await refusedBy(openai.responses.cancel(second.id))).toMatchObject({ status: 400 })
  expect(await app.audit()).toEqual([])
})

test("another user's background response is not found", async () => {
  const { openai, clientOf, app, vendor } = await batchFixture()
  const { id } = await openai.responses.create(asked)
  const other = clientOf(await keyOf((await makeUser(app, { quota: 1_000_000 })).client))
  const before = vendor.asked.length
  for (const ask of [() => other.responses.retrieve(id), () => other.responses.cancel(id)]) {
    expect(await refusedBy(ask())).toMatchObject({ status: 404 })
  }
  expect(vendor.asked.length).toBe(before)
})

test('if no channel supports it, it is refused with a message, and nothing is held or sent', async () => {
  const { openai, channel, vendor, account } = await batchFixture()
  await channel(CLAUDE, { type: 14, base_url: vendor.url, key: 'k' })
  const before = await account()
  expect(await refusedBy(openai.responses.create({ ...asked, model: CLAUDE }))).toMatchObject({
    ...{ status: 400, message: expect.stringContaining('supports background responses') },
  })
  const tools = [{ type: 'image_generation' as const }]
  expect(await refusedBy(openai.responses.create({ ...asked, tools }))).toMatchObject({ status: 400 })
  expect([await account(), vendor.asked]).toEqual([before, []])
})

test('a streamed response is not made in the background, where its vendor would complete it for a client that left', async () => {
  const { app, root, channelId, key, onlyLog, atRest } = await batchFixture()
  const bodies: unknown[] = []
  const event = {
    type: 'response.completed',
    response: { id: 'resp_1', status: 'completed', output: [], usage: USAGE },
  }
  const vendor = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      bodies.push(await request.text())
      const headers = { 'content-type': 'text/event-stream' }
      return new Response(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, { headers })
    },
  })
  onTestFinished(() => vendor.stop(true))
  await root.put('/api/channel/', { id: channelId, base_url: `http://127.0.0.1:${vendor.port}`, key: 'k' })
  const send = (body: string) =>
    fetch(`${app.url}/v1/responses`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
  const streamed = await send(`{"model":"${MINI}","input":"x","background":true,"stream":true}`)
  expect([streamed.status, await streamed.text()]).toEqual([200, expect.stringContaining('response.completed')])
  expect(bodies).toEqual([`{"model":"${MINI}","input":"x","stream":true}`])
  await atRest()
  expect(await onlyLog()).toMatchObject({ quota: COST, detail: { dropped_parameters: ['background'] } })

  // Of two members with one name a vendor may take the other.
  await (await send(`{"model":"${MINI}","background":true,"input":"x","stream":true,"background":false}`)).text()
  expect(bodies[1]).not.toContain('true,"input"')
  expect(JSON.parse(String(bodies[1]))).toEqual({ model: MINI, input: 'x', stream: true, background: false })
})
