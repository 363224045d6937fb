import { expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI, { NotFoundError } from 'openai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { makeUser } from '../../testing/makers.ts'
import { keyOf, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const CLAUDE = 'claude-opus-4-5'
const GPT = 'gpt-5'
const compacted = {
  ...{ id: 'resp_c', object: 'response.compaction', created_at: 1, output: [] },
  usage: { input_tokens: 20, output_tokens: 5, total_tokens: 25 },
}

/** A channel to Claude, which stores nothing, one to OpenAI, and OpenAI's client in front of them. */
async function fixture() {
  const own = await relayFixture({ options: { DefaultModelRatio: 1, ModelRatio: '{"gpt-5":1}' } })
  const content = [{ type: 'text', text: 'High tide.' }]
  const usage = { input_tokens: 5, output_tokens: 3 }
  const claude = fakeVendor(() =>
    Response.json({ type: 'message', id: 'msg_v', role: 'assistant', content, stop_reason: 'end_turn', usage }),
  )
  const vendor = fakeVendor(({ path }) =>
    path.endsWith('/input_tokens')
      ? Response.json({ object: 'response.input_tokens', input_tokens: 77 })
      : Response.json(compacted),
  )
  await own.channel(CLAUDE, { type: 14, base_url: claude.url, key: 'k' })
  await own.channel(GPT, { type: 1, base_url: vendor.url, key: 'k' })
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${own.app.url}/v1`, maxRetries: 0 })
  return { ...own, vendor, clientOf, openai: clientOf(own.key) }
}

const refused = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  )

test("OpenAI's client fetches a response as it was answered, whole or streamed", async () => {
  const { openai } = await fixture()
  const tools = [{ type: 'function' as const, name: 'tides', parameters: { type: 'object' }, strict: false }]
  const { output_text, ...first } = await openai.responses.create({ model: CLAUDE, input: 'Hi', tools })
  const { output_text: fetchedText, ...fetched } = await openai.responses.retrieve(first.id)
  expect(fetchedText).toBe(output_text)
  expect(fetched).toEqual(first)

  const asked = { model: CLAUDE, input: 'And?', previous_response_id: first.id, stream: true } as const
  for await (const event of await openai.responses.create(asked)) {
    if (event.type !== 'response.completed') continue
    expect(await openai.responses.retrieve(event.response.id)).toMatchObject(event.response)
  }
})

test('input items are listed in pages, newest or oldest first', async () => {
  const { openai } = await fixture()
  const input = ['One', 'Two', 'Three'].map((content) => ({ role: 'user' as const, content }))
  const { id } = await openai.responses.create({ model: CLAUDE, input })
  const texts = async (query: { order?: 'asc' | 'desc'; limit?: number }) => {
    const all: unknown[] = []
    for await (const item of openai.responses.inputItems.list(id, query)) {
      expect(item.id).toMatch(/^msg_/)
      expect(item).toMatchObject({ type: 'message', role: 'user' })
      all.push(Object(item).content[0].text)
    }
    return all
  }
  expect(await texts({ limit: 2 })).toEqual(['Three', 'Two', 'One'])
  expect(await texts({ order: 'asc', limit: 1 })).toEqual(['One', 'Two', 'Three'])
  expect(await refused(openai.responses.inputItems.list(id, { limit: 0 }))).toMatchObject({ status: 400 })
})

test('a deleted response is gone, also for responses that would follow it', async () => {
  const { openai } = await fixture()
  const { id } = await openai.responses.create({ model: CLAUDE, input: 'Hi' })
  expect(await openai.responses.delete(id)).toMatchObject({ id, deleted: true })
  expect(await refused(openai.responses.retrieve(id))).toBeInstanceOf(NotFoundError)
  expect(await refused(openai.responses.delete(id))).toBeInstanceOf(NotFoundError)
  const next = openai.responses.create({ model: CLAUDE, input: 'And?', previous_response_id: id })
  expect(await refused(next)).toMatchObject({ code: 'previous_response_not_found' })
})

test('nobody can read, find or delete the response of another user', async () => {
  const { openai, app, clientOf } = await fixture()
  const { id } = await openai.responses.create({ model: CLAUDE, input: 'Hi' })
  const stranger = clientOf(await keyOf((await makeUser(app, { quota: 1_000_000 })).client))
  for (const ask of [
    () => stranger.responses.retrieve(id),
    () => stranger.responses.delete(id),
    () => stranger.responses.cancel(id),
    () => stranger.responses.inputItems.list(id),
  ]) {
    expect(await refused(ask())).toMatchObject({
      ...{ status: 404, type: 'invalid_request_error' },
      message: expect.stringContaining(`Unknown response ${id}`),
    })
  }
  const nobody = clientOf('sk-nobody')
  expect(await refused(nobody.responses.retrieve(id))).toMatchObject({ status: 401 })
  expect(await openai.responses.retrieve(id)).toMatchObject({ id })
})

test('a response that was not stored, is older than an hour or never existed is not found', async () => {
  const { openai, app } = await fixture()
  const kept = await openai.responses.create({ model: CLAUDE, input: 'Hi' })
  const unkept = await openai.responses.create({ model: CLAUDE, input: 'Hi', store: false })
  for (const id of [unkept.id, kept.output[0]?.id ?? '', 'resp_unknown', '%00', 'x'.repeat(150)])
    expect(await refused(openai.responses.retrieve(id))).toMatchObject({ status: 404 })
  app.clock.pass(60 * 60)
  expect(await refused(openai.responses.retrieve(kept.id))).toMatchObject({ status: 404 })
})

test('a completed response cannot be cancelled, and other methods are refused by name', async () => {
  const { openai, app, key } = await fixture()
  const { id } = await openai.responses.create({ model: CLAUDE, input: 'Hi' })
  expect(await refused(openai.responses.cancel(id))).toMatchObject({
    ...{ status: 400, message: expect.stringContaining('only background responses') },
  })
  const headers = { authorization: `Bearer ${key}` }
  const wrong = await fetch(`${app.url}/v1/responses/${id}`, { method: 'PUT', headers })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, DELETE'])
})

test('the input of a response is counted by a vendor that can, by us for the others, and costs nothing', async () => {
  const { openai, account, vendor } = await fixture()
  expect(await openai.responses.inputTokens.count({ model: GPT, input: 'Hello' })).toMatchObject({ input_tokens: 77 })
  const ours = await openai.responses.inputTokens.count({ model: CLAUDE, input: 'Hello there, how are the tides?' })
  expect(ours.object).toBe('response.input_tokens')
  expect(ours.input_tokens).toBeGreaterThan(4)
  expect(vendor.asked.map(({ path }) => path)).toEqual(['/v1/responses/input_tokens'])
  expect((await account()).used_quota).toBe(0)
})

test('a conversation is compacted and charged where the vendor supports it, and refused with a message elsewhere', async () => {
  const { openai, app, account, vendor } = await fixture()
  const input = [{ role: 'user' as const, content: 'Hello' }]
  expect(await openai.responses.compact({ model: GPT, input })).toMatchObject(compacted)
  expect(vendor.asked[0]?.path).toBe('/v1/responses/compact')
  const { used_quota } = await account()
  expect(used_quota).toBeGreaterThan(0)
  expect(await refused(openai.responses.compact({ model: CLAUDE, input }))).toMatchObject({
    ...{ status: 404, message: expect.stringContaining('can compact conversations') },
  })
  expect((await account()).used_quota).toBe(used_quota)
  expect(await app.audit()).toEqual([])
})
