import { expect, setDefaultTimeout, test } from 'bun:test'
import { batchFixture, chatLine, chatLines, LINE_COST, MINI, refusedBy } from '../testing/batch-fixture.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test("OpenAI's client submits a batch, polls it, and reads its results; they cost half, once", async () => {
  const { openai, begin, vendor, follow, account, onlyLog, charges, app } = await batchFixture()
  const before = await account()
  const batch = await begin(3)
  expect(batch).toMatchObject({ object: 'batch', status: 'validating', output_file_id: null })
  expect((await account()).held).toBeGreaterThan(3 * LINE_COST)
  await follow()
  expect(await charges()).toEqual([])

  vendor.end('completed')
  const ended = await openai.batches.retrieve(batch.id)
  expect(ended).toMatchObject({ id: batch.id, status: 'completed', input_file_id: batch.input_file_id })
  expect(ended.output_file_id).toMatch(/^file-[0-9a-f]{32}$/)
  const lines = (await (await openai.files.content(ended.output_file_id ?? '')).text()).split('\n')
  expect(lines.map((line) => JSON.parse(line).custom_id)).toEqual(['line-0', 'line-1', 'line-2'])

  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 3 * LINE_COST, held: 0, request_count: 1 })
  expect(await charges()).toMatchObject([{ ref: batch.id, delta: -3 * LINE_COST }])
  expect(await onlyLog()).toMatchObject({
    ...{ type: 2, model_name: MINI, quota: 3 * LINE_COST, prompt_tokens: 300, completion_tokens: 150 },
    ...{ request_id: batch.id, outcome: 'success' },
    detail: {
      ...{ service_tier: 'batch', source: 'reported', usage: { input: 300, output: 150 } },
      batch: { id: batch.id, status: 'completed', requests: 3, answered: 3, unreported: 0 },
    },
  })
  expect((await openai.batches.list()).data.map(({ id, status }) => [id, status])).toEqual([[batch.id, 'completed']])
  expect(await app.audit()).toEqual([])
})

test('files are listed in pages, shown and deleted, here and at the vendor', async () => {
  const { openai, upload, vendor } = await batchFixture()
  const first = await upload(chatLines(1))
  const second = await upload(chatLines(2))
  expect(first).toMatchObject({ object: 'file', purpose: 'batch', filename: 'in.jsonl', status: 'processed' })
  expect(await openai.files.retrieve(first.id)).toMatchObject({ id: first.id, bytes: first.bytes })
  expect((await openai.files.list()).data.map(({ id }) => id)).toEqual([second.id, first.id])
  const page = await openai.files.list({ limit: 1 })
  expect([page.data.length, page.has_more]).toEqual([1, true])
  expect((await page.getNextPage()).data.map(({ id }) => id)).toEqual([first.id])
  expect((await openai.files.list({ purpose: 'fine-tune' })).data).toEqual([])
  expect(await openai.files.delete(first.id)).toMatchObject({ id: first.id, deleted: true })
  expect(vendor.files.size).toBe(1)
  expect(await refusedBy(openai.files.retrieve(first.id))).toMatchObject({ status: 404 })
})

test("another user's files and batches are not found", async () => {
  const { app, begin, openai, clientOf, vendor } = await batchFixture()
  const batch = await begin()
  const other = clientOf(await keyOf((await makeUser(app, { quota: 1_000_000 })).client))
  const input = batch.input_file_id
  const asked = [
    () => other.files.retrieve(input),
    () => other.files.content(input),
    () => other.files.delete(input),
    () => other.batches.retrieve(batch.id),
    () => other.batches.cancel(batch.id),
    () => other.batches.create({ input_file_id: input, endpoint: '/v1/chat/completions', completion_window: '24h' }),
  ]
  const before = vendor.asked.length
  for (const ask of asked) {
    const own = await refusedBy(ask())
    expect(own).toMatchObject({ status: 404, type: 'invalid_request_error' })
  }
  expect([(await other.files.list()).data, (await other.batches.list()).data]).toEqual([[], []])
  expect(vendor.asked.length).toBe(before)
  expect((await openai.batches.retrieve(batch.id)).id).toBe(batch.id)
})

test('an invalid file is refused with a message that names its line, and nothing is sent', async () => {
  const { upload, vendor, openai, channel } = await batchFixture()
  await channel('custom-model')
  const refusals: [object[], string][] = [
    [[chatLine('a'), chatLine('b', { model: 'nobody-has-it' })], 'Request 2 of the batch'],
    [[chatLine('a'), chatLine('b', {}, '/v1/embeddings')], 'a file is for one endpoint'],
    [[chatLine('a', {}, '/v1/audio/speech')], 'cannot be batched'],
    [[chatLine('a'), chatLine('a')], 'the custom_id a is there twice'],
    [[{ custom_id: 'a' }], 'Request 1 of the batch'],
    [[], 'there is no request at all'],
    [[chatLine('a', { model: 'custom-model' })], 'No channel offers batches for these models together: custom-model'],
  ]
  for (const [lines, sentence] of refusals) {
    const error = await refusedBy(upload(lines))
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining(sentence) })
  }
  const file = new File(['hello'], 'notes.txt')
  expect(await refusedBy(openai.files.create({ file, purpose: 'user_data' }))).toMatchObject({
    ...{ status: 400, message: expect.stringContaining('Only batch files') },
  })
  expect(vendor.asked).toEqual([])
})

test('a key that may not use a model of the lines can neither upload nor start them', async () => {
  const { upload, begin, payer, clientOf, vendor } = await batchFixture()
  const made = await payer.client.post('/api/token/', { name: 'narrow', unlimited_quota: true, models: 'other-model' })
  const narrow = clientOf(`sk-${made.data.key}`)
  expect(await refusedBy(upload(chatLines(1), narrow))).toMatchObject({ status: 400 })
  const { input_file_id } = await begin()
  const before = vendor.asked.length
  const wanted = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
  expect(await refusedBy(narrow.batches.create(wanted))).toMatchObject({ status: 403 })
  expect(vendor.asked.length).toBe(before)
})

test('mapped names reach the vendor, and the log shows the requested ones', async () => {
  const { openai, upload, vendor, channel, onlyLog, follow } = await batchFixture()
  await channel('tide-model', {
    ...{ type: 1, base_url: vendor.url, key: 'k-openai', model_mapping: JSON.stringify({ 'tide-model': MINI }) },
  })
  const { id } = await upload([chatLine('a', { model: 'tide-model' })])
  expect(await (await openai.files.content(id)).text()).toContain(`"model":"${MINI}"`)
  await openai.batches.create({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' })
  vendor.end('completed')
  await follow()
  expect(await onlyLog()).toMatchObject({
    ...{ model_name: MINI, quota: LINE_COST, detail: { requested_model: 'tide-model' } },
  })
})

test('paths of files and batches refuse other methods, and their errors have the format of their dialect', async () => {
  const { app, key } = await batchFixture()
  const headers = { authorization: `Bearer ${key}` }
  const wrong = await fetch(`${app.url}/v1/batches/batch_1/cancel`, { headers })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
  const anthropic = await fetch(`${app.url}/v1/messages/batches/msgbatch_1`, { headers: { 'x-api-key': key } })
  expect(anthropic.status).toBe(404)
  expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
  const stranger = await fetch(`${app.url}/v1/files`)
  expect(stranger.status).toBe(401)
})

test('a batch stays with the key of the pool that took its file, and that key is charged', async () => {
  const { openai, upload, vendor, channel, root, follow, app } = await batchFixture()
  const { id } = await channel('pooled-model', {
    ...{ type: 1, base_url: vendor.url, key: 'k-one\nk-two\nk-three', key_pool: true },
  })
  for (const name of ['a', 'b', 'c']) {
    const file = await upload([chatLine(name, { model: 'pooled-model' })])
    const wanted = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
    const batch = await openai.batches.create(wanted)
    vendor.end('completed')
    const { output_file_id } = await openai.batches.retrieve(batch.id)
    expect(await (await openai.files.content(output_file_id ?? '')).text()).toContain(`"custom_id":"${name}"`)
  }
  await follow()
  const keys: { used_quota: number; calls: number }[] = (await root.get(`/api/channel/${id}/keys`)).data
  expect(keys.map(({ calls, used_quota }) => [calls, used_quota > 0])).toEqual([
    [1, true],
    [1, true],
    [1, true],
  ])
  expect(await app.audit()).toEqual([])
})

test('a channel’s body rules apply to every line, and not to requests about the batch', async () => {
  const { openai, upload, vendor, channel } = await batchFixture()
  const body_rules = [{ path: 'temperature', action: 'set', value: '0.5' }]
  await channel('ruled-model', {
    ...{ type: 1, base_url: vendor.url, key: 'k-openai', config: JSON.stringify({ body_rules }) },
  })
  const { id } = await upload([chatLine('a', { model: 'ruled-model' })])
  expect(JSON.parse(await (await openai.files.content(id)).text()).body).toMatchObject({ temperature: 0.5 })
  await openai.batches.create({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' })
  expect(vendor.batches.size).toBe(1)
})
