import { expect, setDefaultTimeout, test } from 'bun:test'
import { batchFixture, batchOf, CLAUDE, chatLine, chatLines, MINI } from '../testing/batch-fixture.ts'
import { midjourneyFixture } from '../testing/midjourney-fixture.ts'
import { videoFixture } from '../testing/video-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

const LEVELS = 100_000
const DEEP = '{"a":'.repeat(LEVELS) + 1 + '}'.repeat(LEVELS)

const sender = (url: string, key: string) => async (path: string, body: string | FormData) => {
  const answer = await fetch(url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
  return { status: answer.status, text: await answer.text() }
}

const fileOf = (text: string) => {
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new File([text], 'in.jsonl'))
  return form
}

test('a file of line breaks is read line by line, and an error has the right line', async () => {
  const { app, key } = await batchFixture()
  const send = sender(app.url, key)
  const blank = '\n'.repeat(200_000)
  expect(await send('/v1/files', fileOf(blank))).toMatchObject({ status: 400 })
  const bad = await send('/v1/files', fileOf(`${JSON.stringify(chatLine('a'))}${blank}{`))
  expect(bad).toMatchObject({ status: 400, text: expect.stringContaining('Request 200001 of the batch') })
  expect(await send('/v1/files', fileOf(`\r\n${JSON.stringify(chatLine('a'))}\r\n\n`))).toMatchObject({ status: 200 })
})

test('long ids of many lines are neither stored nor listed with a file, and every line has its own price', async () => {
  const { app, root, channelId, openai, upload, vendor, follow, account } = await batchFixture({
    options: { ModelRatio: JSON.stringify({ [MINI]: 2, [CLAUDE]: 20 }) },
  })
  await root.put('/api/channel/', { id: channelId, models: `${MINI},${CLAUDE}` })
  const lines = Array.from({ length: 40 }, (_, index) =>
    chatLine(`${'x'.repeat(500)}${index}`, { model: index % 2 === 0 ? MINI : CLAUDE }),
  )
  const { id } = await upload(lines)
  const { plan } = await app.db.selectFrom('files').select('plan').executeTakeFirstOrThrow()
  expect(plan.length).toBeLessThan(3000)
  expect((await openai.files.list()).data).toMatchObject([{ id, filename: 'in.jsonl', bytes: expect.any(Number) }])
  const before = await account()
  await openai.batches.create(batchOf(id))
  vendor.end('completed')
  await follow()
  // 150 tokens a line, at half of the ratio.
  expect((await account()).quota).toBe(before.quota - 20 * 150 - 20 * 1500)
  expect(await app.audit()).toEqual([])
})

test('an alias pattern does not make a batch of thousands of models', async () => {
  const { app, key } = await batchFixture({ options: { ModelAliases: JSON.stringify({ 'tide-*': MINI }) } })
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => JSON.stringify(chatLine(`${index}`, { model: `tide-${index}` })))
  const send = sender(app.url, key)
  expect(await send('/v1/files', fileOf(lines(100).join('\n')))).toMatchObject({ status: 200 })
  expect(await send('/v1/files', fileOf(lines(101).join('\n')))).toMatchObject({
    status: 400,
    text: expect.stringContaining('there are more than 100 models'),
  })
})

test('metadata has the limits of OpenAI', async () => {
  const { app, key, upload } = await batchFixture()
  const { id } = await upload(chatLines(1))
  const send = sender(app.url, key)
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']))
  for (const metadata of [{ long: 'x'.repeat(513) }, { ['x'.repeat(65)]: 'v' }, many])
    expect(await send('/v1/batches', JSON.stringify({ ...batchOf(id), metadata }))).toMatchObject({ status: 400 })
  const kept = { a: 'x'.repeat(512), output: '' }
  const answer = await send('/v1/batches', JSON.stringify({ ...batchOf(id), metadata: kept }))
  expect([answer.status, JSON.parse(answer.text).metadata]).toEqual([200, kept])
})

test('a request with a hundred thousand levels is refused, wherever they are', async () => {
  const { app, key, upload } = await batchFixture()
  const { id } = await upload(chatLines(1))
  const send = sender(app.url, key)
  const batch = JSON.stringify(batchOf(id)).slice(0, -1)
  expect(await send('/v1/batches', `${batch},"output_expires_after":${DEEP}}`)).toMatchObject({ status: 400 })
  expect(await send('/v1/batches', `${batch},"metadata":${DEEP}}`)).toMatchObject({ status: 400 })
  expect(await send('/v1/messages/batches', `{"requests":[{"custom_id":"a","params":${DEEP}}]}`)).toMatchObject({
    status: 400,
  })
  const videos = await videoFixture()
  const film = sender(videos.app.url, videos.key)
  expect(await film('/v1/videos', `{"model":"sora-2","prompt":"x","deep":${DEEP}}`)).toMatchObject({ status: 400 })
  expect(await videos.openHolds()).toEqual([])
})

test('a vendor’s answer with a hundred thousand levels is a failure, and breaks no list', async () => {
  const { openai, begin, vendor, follow, app, openHolds } = await batchFixture()
  const { id } = await begin()
  vendor.dies(() => new Response(`{"id":"batch_up2","status":"in_progress","deep":${DEEP}}`))
  await follow()
  vendor.dies(undefined)
  expect((await openai.batches.list()).data).toMatchObject([{ id, status: 'validating' }])
  vendor.end('completed')
  await follow()
  expect([await openHolds(), await app.audit()]).toEqual([[], []])
})

test('results with a line in many chunks are read like any other', async () => {
  const { begin, vendor, follow, account, app } = await batchFixture()
  const before = await account()
  await begin(2)
  vendor.end('completed')
  vendor.serves((text) => {
    const bytes = Buffer.from(`${text.split('\n')[0]?.replace('High tide.', '潮'.repeat(300_000))}\n\n${text}\n`)
    const pieces = Array.from({ length: 200 }, (_, index) => bytes.subarray(index * 7001, (index + 1) * 7001))
    return new Response(new Blob(pieces).stream())
  })
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 2 * 150, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('a link to an image with the wrong secret shows nothing, whatever the secret is', async () => {
  const { app, submit } = await midjourneyFixture()
  const { result: id } = await submit('imagine', { prompt: 'Cat' })
  for (const view of ['', 'x', 'é'.repeat(32), '%00', '%', 'x'.repeat(5000)])
    expect([view, (await fetch(`${app.url}/mj/image/${id}?view=${view}`)).status]).toEqual([view, 404])
})

test('a modal of a task that has ended has its own price', async () => {
  const { submit, vendor, follow, account, app } = await midjourneyFixture()
  const { result: taskId } = await submit('imagine', { prompt: 'Cat' })
  vendor.becomes('SUCCESS')
  await follow()
  const paid = await account()
  vendor.answers(() => Response.json({ code: 1, description: 'ok', result: '77' }))
  expect(await submit('modal', { taskId, prompt: 'Dog' })).toMatchObject({ code: 1 })
  expect((await account()).held).toBeGreaterThan(0)
  expect((await account()).quota).toBe(paid.quota)
  expect(await app.audit()).toEqual([])
})
