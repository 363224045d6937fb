import { expect, setDefaultTimeout, test } from 'bun:test'
import type { CrashPoint } from '../ledger/stores/crash-points.ts'
import { testApp } from '../testing/app.ts'
import { IMAGINE, midjourneyFixture } from '../testing/midjourney-fixture.ts'
import { startNode } from '../testing/node-process.ts'
import { fakeMidjourney } from '../testing/vendors/fake-midjourney.ts'

// Processes are started and killed, possibly on a busy machine.
setDefaultTimeout(120_000)

const CAT = { prompt: 'Cat' }

test('a balance that is too small is refused with the amount, and nothing is submitted or held', async () => {
  const { post, vendor, account, openHolds, app } = await midjourneyFixture({ quota: IMAGINE - 1 })
  const answer = await post('/mj/submit/imagine', CAT)
  expect([answer.status, await answer.json()]).toMatchObject([
    429,
    { code: 9, description: expect.stringMatching(/which needs \$?[\d.,]+/), result: '' },
  ])
  expect([vendor.asked, await openHolds(), (await account()).held]).toEqual([[], [], 0])
  expect(await app.audit()).toEqual([])
})

test('a task that fails costs nothing, and the log says why', async () => {
  const { submit, fetched, vendor, account, follow, app } = await midjourneyFixture()
  const before = await account()
  const { result: id } = await submit('imagine', CAT)
  vendor.becomes('FAILURE', { failReason: '[Invalid parameter] The cat is too long' })
  await follow()
  expect((await fetched(id)).task).toMatchObject({
    status: 'FAILURE',
    failReason: '[Invalid parameter] The cat is too long',
  })
  expect(await account()).toEqual(before)
  const logs = await app.db
    .selectFrom('logs')
    .select(['type', 'quota', 'detail'])
    .where('request_id', '=', id)
    .execute()
  expect(logs).toMatchObject([{ type: 6, quota: 0, detail: expect.stringContaining('The cat is too long') }])
  expect(await app.audit()).toEqual([])
})

test('an operator sets the price of a task by ratio, also of one without a known price', async () => {
  const { submit, vendor, account, follow, logs, app } = await midjourneyFixture({
    options: { ModelRatio: JSON.stringify({ mj_imagine: 20, mj_inpaint: 3 }) },
  })
  const before = await account()
  const { result } = await submit('imagine', CAT)
  vendor.becomes('SUCCESS')
  await follow()
  await submit('action', { taskId: result, customId: 'MJ::Inpaint::1::a::SOLO' })
  vendor.becomes('SUCCESS')
  await follow()
  expect((await account()).quota).toBe(before.quota - 20 * 1000 - 3 * 1000)
  expect((await logs()).map(({ detail }) => detail.price.source)).toEqual(['ratio', 'ratio'])
  expect(await app.audit()).toEqual([])
})

test('a banned word is reported with the server’s own message; a full queue moves on to the next channel', async () => {
  const { submit, vendor, channel, account, follow, logs, app } = await midjourneyFixture({
    options: { RetryTimes: 1 },
  })
  const before = await account()
  expect(await submit('imagine', { prompt: 'nude body' })).toEqual({
    ...{ code: 24, description: '可能包含敏感词', result: '' },
    properties: { promptEn: 'nude body', bannedWord: 'nude' },
  })
  expect([await account(), vendor.asked.length]).toEqual([before, 1])

  const full = fakeMidjourney('k-full')
  const queueFull = () => Response.json({ code: 23, description: '队列已满，请稍后尝试', result: '' })
  full.answers(queueFull)
  await channel('mj_imagine', { type: 61, base_url: `${full.url}/mj`, key: 'k-full', priority: 10 })
  vendor.answers(() => undefined)
  expect(await submit('imagine', CAT)).toMatchObject({ code: 1 })
  expect([full.asked.length, vendor.asked.length, (await account()).held]).toEqual([1, 2, IMAGINE])
  vendor.becomes('SUCCESS')
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - IMAGINE, held: 0 })
  expect((await logs()).map(({ type, quota }) => [type, quota])).toEqual([
    [6, 0],
    [6, 0],
    [2, IMAGINE],
  ])

  vendor.answers(queueFull)
  expect(await submit('imagine', CAT)).toMatchObject({ code: 23, description: '队列已满，请稍后尝试', result: '' })
  expect((await account()).held).toBe(0)
  expect(await app.audit()).toEqual([])
})

test('a channel that is removed leaves nothing held', async () => {
  const { submit, account, follow, app, root, openHolds } = await midjourneyFixture()
  const before = await account()
  await submit('imagine', CAT)
  const { id } = await app.db.selectFrom('channels').select('id').orderBy('id').executeTakeFirstOrThrow()
  await root.delete(`/api/channel/${id}`)
  await follow()
  expect([await account(), await openHolds()]).toEqual([before, []])
  expect(await app.audit()).toEqual([])
})

test('a server that refuses the key, breaks off or forgets a task leaves nothing held forever', async () => {
  const { submit, fetched, vendor, account, follow, app, openHolds } = await midjourneyFixture()
  const before = await account()
  vendor.answers(() => new Response('', { status: 401 }))
  expect(await submit('imagine', CAT)).toMatchObject({ code: 9, result: '' })
  expect(await account()).toEqual(before)

  vendor.answers(() => new Response('<html>', { status: 502 }))
  expect(await submit('imagine', CAT)).toMatchObject({ code: 9, result: '' })
  expect((await account()).held).toBe(IMAGINE)
  app.clock.pass(301)
  await follow()
  expect(await account()).toEqual(before)

  vendor.answers(undefined)
  const { result: forgotten } = await submit('imagine', CAT)
  vendor.tasks.clear()
  await follow()
  expect((await account()).held).toBe(IMAGINE)
  app.clock.pass(86_500)
  await follow()
  expect((await fetched(forgotten)).task).toMatchObject({
    ...{ status: 'FAILURE', failReason: expect.stringContaining('It costs nothing') },
  })
  expect([await account(), await openHolds()]).toEqual([before, []])
  expect(await app.audit()).toEqual([])
})

test('two nodes and a caller that see the same result at the same time charge it once', async () => {
  const { app, submit, fetched, listed, vendor, follow, account, charges, logs } = await midjourneyFixture()
  const before = await account()
  const { result: id } = await submit('imagine', CAT)
  vendor.becomes('SUCCESS')
  const second = await testApp({ location: app.location })
  const other = second.parts.jobs.find(({ name }) => name === 'batches')
  await Promise.all([follow(), other?.run(), fetched(id), listed([id]), other?.run()])
  expect((await account()).quota).toBe(before.quota - IMAGINE)
  expect([(await charges()).length, (await logs()).length]).toEqual([1, 1])
  expect(await app.audit()).toEqual([])
})

const POINTS: CrashPoint[] = ['before-settle', 'before-commit', 'after-commit', 'after-settle']

test('a process that dies between the image and its charge, or after it, charges once', async () => {
  const { app, submit, callerOf, key, vendor, follow, account, charges, logs, fetched } = await midjourneyFixture()
  const before = await account()
  for (const [index, point] of POINTS.entries()) {
    const { result: id } = await submit('imagine', CAT)
    vendor.becomes('SUCCESS')
    const node = await startNode(app, { TOLLGATE_CRASH_AT: point })
    await callerOf(key, node.url)
      .fetched(id)
      .catch(() => undefined)
    await node.exited()
    expect(node.child.signalCode).toBe('SIGKILL')
    await follow()
    expect((await fetched(id)).task).toMatchObject({ status: 'SUCCESS' })
    const paid = (index + 1) * IMAGINE
    expect(await account()).toMatchObject({ quota: before.quota - paid, held: 0, request_count: index + 1 })
    expect([(await charges()).length, (await logs()).length]).toEqual([index + 1, index + 1])
  }
  expect(await app.audit()).toEqual([])
})
