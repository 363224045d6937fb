import { expect, setDefaultTimeout, test } from 'bun:test'
import type { CrashPoint } from '../ledger/stores/crash-points.ts'
import { testApp } from '../testing/app.ts'
import { batchFixture, chatLines, LINE_COST, MINI, refusedBy } from '../testing/batch-fixture.ts'
import { createFaults } from '../testing/failing-database.ts'
import { startNode } from '../testing/node-process.ts'
import { makeToken } from '../testing/token-makers.ts'

// Processes are started and killed, possibly on a busy machine.
setDefaultTimeout(120_000)

test('a balance that is too small is refused with the amount, and nothing is submitted or held', async () => {
  const { openai, upload, vendor, account, openHolds, app, root, payer } = await batchFixture()
  const { id } = await upload(chatLines(10))
  await root.put('/api/user/', { id: payer.id, username: payer.username, quota: 500 })
  const wanted = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
  expect(await refusedBy(openai.batches.create(wanted))).toMatchObject({
    ...{ status: 429, code: 'insufficient_quota', message: expect.stringMatching(/which needs \$?[\d.,]+/) },
  })
  expect([vendor.batches.size, await openHolds(), (await account()).held]).toEqual([0, [], 0])
  expect((await openai.batches.list()).data).toEqual([])
  expect(await app.audit()).toEqual([])
})

test.each([
  ['the account', { quota: 500 }, {}],
  ['the key', { quota: 1_000_000 }, { unlimited_quota: false, remain_quota: 500 }],
])(
  'a file whose batch %s could not pay is refused like a call, and the vendor gets nothing',
  async (_, account, limits) => {
    const { payer, clientOf, upload, vendor, openHolds, app } = await batchFixture(account)
    const { key } = await makeToken(payer.client, { expired_time: -1, unlimited_quota: true, ...limits })
    const client = clientOf(`sk-${key}`)
    expect(await refusedBy(upload(chatLines(10), client))).toMatchObject({
      ...{ status: 429, code: 'insufficient_quota', message: expect.stringMatching(/which needs \$?[\d.,]+/) },
    })
    expect([vendor.files.size, await openHolds(), (await client.files.list()).data]).toEqual([0, [], []])
    expect(await upload(chatLines(1), client)).toMatchObject({ object: 'file' })
    expect(await app.audit()).toEqual([])
  },
)

test('a batch that is cancelled halfway costs the completed lines, and the rest is released', async () => {
  const { openai, begin, vendor, follow, account, onlyLog, app } = await batchFixture()
  const before = await account()
  const { id } = await begin(4)
  expect(await openai.batches.cancel(id)).toMatchObject({ id, status: 'cancelling' })
  await follow()
  expect((await account()).held).toBeGreaterThan(0)
  vendor.end('cancelled', 2)
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 2 * LINE_COST, held: 0 })
  expect((await onlyLog()).detail.batch).toMatchObject({ status: 'cancelled', requests: 4, answered: 2 })
  expect(await app.audit()).toEqual([])
})

test('a batch without any answer costs nothing, and the log says how it ended', async () => {
  const { openai, begin, vendor, follow, account, app } = await batchFixture()
  const before = await account()
  for (const [status, outcome] of [
    ['expired', 'timeout'],
    ['failed', 'client_error'],
  ] as const) {
    const { id } = await begin()
    vendor.end(status, 0)
    await follow()
    expect(await openai.batches.retrieve(id)).toMatchObject({ status, output_file_id: null })
    expect(await account()).toEqual(before)
    const logs = await app.db
      .selectFrom('logs')
      .select(['type', 'outcome', 'quota'])
      .where('request_id', '=', id)
      .execute()
    expect(logs).toMatchObject([{ type: 6, outcome, quota: 0 }])
  }
  expect(await app.audit()).toEqual([])
})

test('prices are those of the day of submission', async () => {
  const { begin, vendor, follow, account, root, app } = await batchFixture()
  const before = await account()
  await begin(2)
  await root.put('/api/option/', { key: 'ModelRatio', value: JSON.stringify({ [MINI]: 200 }) })
  vendor.end('completed')
  await follow()
  expect((await account()).quota).toBe(before.quota - 2 * LINE_COST)
  expect(await app.audit()).toEqual([])
})

test('output that a line does not report is counted, and a line without input costs the estimate', async () => {
  const { begin, vendor, follow, onlyLog, account, app } = await batchFixture()
  await begin(2)
  const { held } = await account()
  vendor.end('completed')
  const [output] = [...vendor.files.values()].slice(-1)
  if (output === undefined) throw new Error('The vendor has no results')
  const [first = '', second = ''] = output.text.split('\n')
  output.text = `${first.replaceAll('completion_tokens', 'unusual')}\n${second.replaceAll('prompt_tokens', 'unusual')}\n`
  await follow()
  const { quota, completion_tokens, detail } = await onlyLog()
  expect(completion_tokens).toBeGreaterThan(0)
  expect(quota).toBeGreaterThan(Math.ceil(held / 2))
  expect(detail).toMatchObject({ source: 'estimated', batch: { answered: 2, unreported: 1 } })
  expect(await app.audit()).toEqual([])
})

test('an answer without reported usage costs the estimate of a line', async () => {
  const { begin, vendor, follow, onlyLog, account, app } = await batchFixture()
  await begin(2)
  const { held } = await account()
  vendor.end('completed')
  const [output] = [...vendor.files.values()].slice(-1)
  if (output !== undefined) output.text = output.text.replaceAll('"usage"', '"unusual"')
  await follow()
  expect(await onlyLog()).toMatchObject({
    ...{ quota: 2 * Math.ceil(held / 2), detail: { source: 'estimated', batch: { answered: 2, unreported: 2 } } },
  })
  expect(await app.audit()).toEqual([])
})

test('a vendor that refuses the batch leaves nothing held; after a broken connection it is asked what it accepted', async () => {
  const { openai, begin, vendor, follow, account, app, openHolds } = await batchFixture()
  const before = await account()
  vendor.breaks(() =>
    Response.json({ error: { message: 'Enqueued token limit reached for k-openai' } }, { status: 400 }),
  )
  const refusal = await refusedBy(begin())
  expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('Enqueued token limit') })
  expect(String(refusal)).not.toContain('k-openai')
  expect(await account()).toEqual(before)
  vendor.batches.clear()

  vendor.breaks(() => new Response('<html>', { status: 502 }))
  expect(await refusedBy(begin(2))).toMatchObject({ status: 502 })
  expect((await account()).held).toBeGreaterThan(0)
  await follow()
  expect(await openHolds()).toHaveLength(1)
  app.clock.pass(301)
  await follow()
  vendor.end('completed')
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 2 * LINE_COST, held: 0 })
  const { data } = await openai.batches.list()
  expect(data).toMatchObject([{ status: 'completed' }])
  expect(await app.audit()).toEqual([])
})

test('a batch that the vendor never accepted, or whose channel was removed, is given up, and its hold released', async () => {
  const { begin, vendor, follow, account, app, root, openHolds } = await batchFixture()
  const before = await account()
  vendor.breaks(() => new Response('<html>', { status: 502 }))
  await refusedBy(begin(2))
  vendor.batches.clear()
  app.clock.pass(301)
  await follow()
  expect(await account()).toEqual(before)

  vendor.breaks(undefined)
  await begin(2)
  const { id } = await app.db.selectFrom('channels').select('id').orderBy('id').executeTakeFirstOrThrow()
  await root.delete(`/api/channel/${id}`)
  await follow()
  expect(await account()).toEqual(before)
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('the audit finds a hold of a batch that does not exist', async () => {
  const { begin, app } = await batchFixture()
  const { id } = await begin()
  app.clock.pass(3 * 86_400)
  expect(await app.audit()).toEqual([])
  await app.db.deleteFrom('batches').where('id', '=', id).execute()
  expect(await app.audit()).toMatchObject([{ invariant: 'I10', subject: id }])
})

test('two nodes that poll one batch at the same time charge it once', async () => {
  const { app, openai, begin, vendor, follow, account, charges, logs } = await batchFixture()
  const before = await account()
  const { id } = await begin(3)
  vendor.end('completed')
  const second = await testApp({ location: app.location })
  const other = second.parts.jobs.find(({ name }) => name === 'batches')
  await Promise.all([follow(), other?.run(), follow(), openai.batches.retrieve(id), other?.run()])
  expect((await account()).quota).toBe(before.quota - 3 * LINE_COST)
  expect([(await charges()).length, (await logs()).length]).toEqual([1, 1])
  // There is one result file, whichever node was first.
  expect((await openai.files.list({ purpose: 'batch_output' })).data).toHaveLength(1)
  expect(await app.audit()).toEqual([])
})

test('the hold of a batch outlives its process and is not swept', async () => {
  const { app, clientOf, key, vendor, upload, follow, account } = await batchFixture()
  const before = await account()
  const node = await startNode(app)
  const { id } = await upload(chatLines(2), clientOf(key, node.url))
  const wanted = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
  await clientOf(key, node.url).batches.create(wanted)
  const { held } = await account()
  await node.kill()
  // It settles what dead processes left before it listens.
  const next = await startNode(app)
  expect((await account()).held).toBe(held)
  app.clock.pass(6 * 3600)
  expect(await app.audit()).toEqual([])
  await next.kill()
  vendor.end('completed')
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 2 * LINE_COST, held: 0 })
  expect(await app.audit()).toEqual([])
})

const POINTS: CrashPoint[] = ['before-settle', 'before-commit', 'after-commit', 'after-settle']

test('a process that dies between the result and its charge, or after it, charges once', async () => {
  const { app, openai, clientOf, key, vendor, begin, follow, account, charges, logs } = await batchFixture()
  const before = await account()
  for (const [index, point] of POINTS.entries()) {
    const { id } = await begin(2)
    vendor.end('completed')
    // Before this settlement the node commits nothing except what the previous process may have left.
    const node = await startNode(app, { TOLLGATE_CRASH_AT: point })
    await refusedBy(clientOf(key, node.url).batches.retrieve(id))
    await node.exited()
    expect(node.child.signalCode).toBe('SIGKILL')
    await follow()
    expect(await openai.batches.retrieve(id)).toMatchObject({ status: 'completed' })
    const paid = (index + 1) * 2 * LINE_COST
    expect(await account()).toMatchObject({ quota: before.quota - paid, held: 0, request_count: index + 1 })
    expect([(await charges()).length, (await logs()).length]).toEqual([index + 1, index + 1])
  }
  expect(await app.audit()).toEqual([])
})

test('a process that dies between the hold and the vendor leaves a batch that the job ends', async () => {
  const { app, clientOf, key, upload, follow, account, openHolds } = await batchFixture()
  const before = await account()
  for (const point of ['before-hold', 'after-hold'] as const) {
    const { id } = await upload(chatLines(2))
    const node = await startNode(app, { TOLLGATE_CRASH_AT: point })
    const wanted = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
    await refusedBy(clientOf(key, node.url).batches.create(wanted))
    await node.exited()
    expect(node.child.signalCode).toBe('SIGKILL')
    expect(await openHolds()).toHaveLength(point === 'after-hold' ? 1 : 0)
    app.clock.pass(301)
    await follow()
    expect(await account()).toEqual(before)
    expect(await openHolds()).toEqual([])
  }
  expect(await app.audit()).toEqual([])
})

test('whichever statement fails while a batch is created, its hold is settled in the end', async () => {
  for (let statement = 1; ; statement++) {
    const faults = createFaults()
    const { openai, upload, vendor, follow, app, openHolds, account } = await batchFixture({ faults })
    const { id } = await upload(chatLines(1))
    faults.failAt(statement)
    const wanted = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
    await refusedBy(openai.batches.create(wanted))
    const isOver = faults.count() < statement
    faults.failAt(0)
    if (vendor.batches.size > 0) vendor.end('completed')
    app.clock.pass(301)
    await follow()
    await follow()
    expect([statement, await openHolds(), (await account()).held]).toEqual([statement, [], 0])
    expect(await app.audit()).toEqual([])
    if (isOver) return
  }
})
