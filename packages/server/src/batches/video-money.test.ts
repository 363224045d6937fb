import { expect, setDefaultTimeout, test } from 'bun:test'
import type { CrashPoint } from '../ledger/stores/crash-points.ts'
import { testApp } from '../testing/app.ts'
import { refusedBy } from '../testing/batch-fixture.ts'
import { startNode } from '../testing/node-process.ts'
import { fakeVideos } from '../testing/vendors/fake-videos.ts'
import { SECOND, TIDES, videoFixture } from '../testing/video-fixture.ts'

// Processes are started and killed, possibly on a busy machine.
setDefaultTimeout(120_000)

const COST = 8 * SECOND

test('a balance that is too small is refused with the amount, and nothing is requested or held', async () => {
  const { openai, vendor, account, openHolds, app } = await videoFixture({ quota: COST - 1 })
  expect(await refusedBy(openai.videos.create(TIDES))).toMatchObject({
    ...{ status: 429, code: 'insufficient_quota', message: expect.stringMatching(/which needs \$?[\d.,]+/) },
  })
  expect([vendor.asked, await openHolds(), (await account()).held]).toEqual([[], [], 0])
  expect((await openai.videos.list()).data).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('a video that fails costs nothing, and the log says why', async () => {
  const { openai, vendor, account, follow, app } = await videoFixture()
  const before = await account()
  const { id } = await openai.videos.create(TIDES)
  const error = { code: 'moderation_blocked', message: 'The tide is too high' }
  vendor.becomes('failed', { error })
  await follow()
  expect(await openai.videos.retrieve(id)).toMatchObject({ status: 'failed', error })
  expect(await account()).toEqual(before)
  const logs = await app.db
    .selectFrom('logs')
    .select(['type', 'quota', 'detail'])
    .where('request_id', '=', id)
    .execute()
  expect(logs).toMatchObject([{ type: 6, quota: 0, detail: expect.stringContaining('The tide is too high') }])
  expect(await refusedBy(openai.videos.downloadContent(id))).toMatchObject({ status: 400 })
  expect(await app.audit()).toEqual([])
})

test('an impossible length is charged as requested, and an operator sets prices by ratio', async () => {
  const { openai, vendor, account, follow, onlyLog, app } = await videoFixture({
    options: { ModelRatio: JSON.stringify({ 'sora-2': 20 }) },
  })
  const before = await account()
  await openai.videos.create(TIDES)
  vendor.becomes('completed', { seconds: '8000' })
  await follow()
  expect((await account()).quota).toBe(before.quota - 8 * 20 * 1000)
  expect(await onlyLog()).toMatchObject({ detail: { source: 'estimated', price: { source: 'ratio' } } })
  expect(await app.audit()).toEqual([])
})

test('a vendor that refuses leaves nothing held; one that breaks off, or whose channel is removed, is given up', async () => {
  const { openai, vendor, account, follow, app, root, openHolds } = await videoFixture()
  const before = await account()
  vendor.breaks(() => Response.json({ error: { message: 'Not with k-openai' } }, { status: 400 }))
  const refusal = await refusedBy(openai.videos.create(TIDES))
  expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('Not with') })
  expect(String(refusal)).not.toContain('k-openai')
  expect(await account()).toEqual(before)

  vendor.breaks(() => new Response('<html>', { status: 502 }))
  expect(await refusedBy(openai.videos.create(TIDES))).toMatchObject({ status: 502 })
  expect((await account()).held).toBe(COST)
  const [waiting] = (await openai.videos.list()).data
  expect(waiting).toMatchObject({ status: 'queued', model: 'sora-2', seconds: '8' })
  vendor.videos.clear()
  app.clock.pass(301)
  await follow()
  expect(await account()).toEqual(before)
  const lost = await openai.videos.retrieve(waiting?.id ?? '')
  expect(lost).toMatchObject({ status: 'failed', error: { code: 'video_lost' } })
  expect(await openai.videos.delete(lost.id)).toMatchObject({ deleted: true })

  vendor.breaks(undefined)
  await openai.videos.create(TIDES)
  const { id } = await app.db.selectFrom('channels').select('id').orderBy('id').executeTakeFirstOrThrow()
  await root.delete(`/api/channel/${id}`)
  await follow()
  expect(await account()).toEqual(before)
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('if a channel refuses, the next one is tried, and only that one is held for and charged', async () => {
  const { openai, vendor, channel, account, follow, logs, app } = await videoFixture({ options: { RetryTimes: 1 } })
  const before = await account()
  const busy = fakeVideos()
  busy.breaks(() => Response.json({ error: { message: 'Too many videos' } }, { status: 429 }))
  await channel('sora-2', { type: 1, base_url: busy.url, key: 'k-busy', priority: 10 })
  const { id } = await openai.videos.create(TIDES)
  expect([busy.asked.length, vendor.asked.length, (await account()).held]).toEqual([1, 1, COST])
  vendor.becomes('completed')
  await follow()
  expect(await openai.videos.retrieve(id)).toMatchObject({ status: 'completed' })
  expect(await account()).toMatchObject({ quota: before.quota - COST, held: 0 })
  expect((await logs()).map(({ type, quota }) => [type, quota])).toEqual([
    [6, 0],
    [2, COST],
  ])
  expect(await app.audit()).toEqual([])
})

test('two nodes and a caller that see the same result at the same time charge it once', async () => {
  const { app, openai, vendor, follow, account, charges, logs } = await videoFixture()
  const before = await account()
  const { id } = await openai.videos.create(TIDES)
  vendor.becomes('completed')
  const second = await testApp({ location: app.location })
  const other = second.parts.jobs.find(({ name }) => name === 'batches')
  const fetched = () => openai.videos.downloadContent(id).then((answer) => answer.arrayBuffer())
  await Promise.all([follow(), other?.run(), openai.videos.retrieve(id), fetched(), other?.run()])
  expect((await account()).quota).toBe(before.quota - COST)
  expect([(await charges()).length, (await logs()).length]).toEqual([1, 1])
  expect(await app.audit()).toEqual([])
})

const POINTS: CrashPoint[] = ['before-settle', 'before-commit', 'after-commit', 'after-settle']

test('a process that dies between the video and its charge, or after it, charges once', async () => {
  const { app, openai, clientOf, key, vendor, follow, account, charges, logs } = await videoFixture()
  const before = await account()
  for (const [index, point] of POINTS.entries()) {
    const { id } = await openai.videos.create(TIDES)
    vendor.becomes('completed')
    const node = await startNode(app, { TOLLGATE_CRASH_AT: point })
    await refusedBy(clientOf(key, node.url).videos.retrieve(id))
    await node.exited()
    expect(node.child.signalCode).toBe('SIGKILL')
    await follow()
    expect(await openai.videos.retrieve(id)).toMatchObject({ status: 'completed' })
    const paid = (index + 1) * COST
    expect(await account()).toMatchObject({ quota: before.quota - paid, held: 0, request_count: index + 1 })
    expect([(await charges()).length, (await logs()).length]).toEqual([index + 1, index + 1])
  }
  expect(await app.audit()).toEqual([])
})

test('a process that dies between the hold and the vendor leaves a video that the job ends', async () => {
  const { app, clientOf, key, follow, account, openHolds, vendor } = await videoFixture()
  const before = await account()
  for (const point of ['before-hold', 'after-hold'] as const) {
    const node = await startNode(app, { TOLLGATE_CRASH_AT: point })
    await refusedBy(clientOf(key, node.url).videos.create(TIDES))
    await node.exited()
    expect(node.child.signalCode).toBe('SIGKILL')
    expect(await openHolds()).toHaveLength(point === 'after-hold' ? 1 : 0)
    app.clock.pass(301)
    await follow()
    expect(await account()).toEqual(before)
    expect([await openHolds(), vendor.videos.size]).toEqual([[], 0])
  }
  expect(await app.audit()).toEqual([])
})
