import { expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import { refusedBy } from '../testing/batch-fixture.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf, readded, relayFixture } from '../testing/relay-fixture.ts'
import { fakeVeo, VEO_VIDEO_BYTES } from '../testing/vendors/fake-veo.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/** 40 cents are 200,000 quota. */
const SECOND = 200_000
const MODEL = 'veo-3.1-generate-preview'
const TIDES = { model: MODEL, prompt: 'The tide comes in', seconds: '8', size: '1280x720' } as const

/** OpenAI's types list only the sizes of its own models; the client sends any value. */
const LARGE = { fullHd: '1920x1080', tall: '2160x3840' } as unknown as Record<'fullHd' | 'tall', OpenAI.VideoSize>

const fixture = async (wishes: Parameters<typeof relayFixture>[0] = {}) => {
  const own = await relayFixture({ quota: 100_000_000, ...wishes })
  const vendor = fakeVeo()
  const models = `${MODEL},veo-3.1-fast-generate-preview,veo-3.1-lite-generate-preview`
  await own.channel(models, { type: 24, base_url: vendor.url, key: 'k-google' })
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${own.app.url}/v1`, maxRetries: 0 })
  const follow = async () => {
    await own.app.parts.jobs.find(({ name }) => name === 'batches')?.run()
  }
  return { ...own, vendor, clientOf, openai: clientOf(own.key), follow }
}

test("OpenAI's client creates a Veo video, polls it, and downloads it; its seconds are charged once", async () => {
  const { openai, vendor, account, onlyLog, charges, follow, app } = await fixture()
  const before = await account()
  const queued = await openai.videos.create(TIDES)
  expect(vendor.asked.at(-1)).toMatchObject({
    path: `/v1beta/models/${MODEL}:predictLongRunning`,
    body: {
      instances: [{ prompt: TIDES.prompt }],
      parameters: { aspectRatio: '16:9', resolution: '720p', durationSeconds: 8 },
    },
  })
  expect(queued).toMatchObject({ object: 'video', status: 'in_progress', model: MODEL, seconds: '8', size: '1280x720' })
  expect(queued.id).toMatch(/^video_[0-9a-f]{32}$/)
  expect(await account()).toMatchObject({ quota: before.quota, held: 8 * SECOND })
  expect(await refusedBy(openai.videos.downloadContent(queued.id))).toMatchObject({ status: 409 })

  vendor.ends()
  await follow()
  const done = await openai.videos.retrieve(queued.id)
  expect(done).toMatchObject({ id: queued.id, status: 'completed', progress: 100, seconds: '8', error: null })
  expect(done.completed_at).toBeGreaterThan(0)
  const content = await openai.videos.downloadContent(queued.id)
  expect(content.headers.get('content-type')).toBe('video/mp4')
  expect(Buffer.from(await content.arrayBuffer()).equals(VEO_VIDEO_BYTES)).toBe(true)

  expect(await account()).toMatchObject({ quota: before.quota - 8 * SECOND, held: 0, request_count: 1 })
  expect(await charges()).toMatchObject([{ ref: queued.id, delta: -8 * SECOND }])
  const log = await onlyLog()
  expect(log).toMatchObject({
    ...{ type: 2, model_name: MODEL, quota: 8 * SECOND, outcome: 'success' },
    detail: { source: 'reported', usage: { videoSeconds: 8 }, price: { source: 'library' } },
  })
  expect(readded(log.detail)).toBe(8 * SECOND)
  expect(await openai.videos.delete(queued.id)).toMatchObject({ deleted: true })
  expect(vendor.asked.some(({ method }) => method === 'DELETE')).toBe(false)
  expect(await app.audit()).toEqual([])
})

test('sizes have their own prices and lengths, and a reference image is sent along', async () => {
  const { openai, vendor, account, follow, app } = await fixture()
  const before = await account()
  const input_reference = await toFile(Buffer.from('picture'), 'tide.png', { type: 'image/png' })
  await openai.videos.create({ ...TIDES, size: LARGE.tall, input_reference })
  expect(vendor.asked.at(-1)?.body).toEqual({
    instances: [{ prompt: TIDES.prompt, image: { bytesBase64Encoded: btoa('picture'), mimeType: 'image/png' } }],
    parameters: { aspectRatio: '9:16', resolution: '4k', durationSeconds: 8 },
  })
  vendor.ends()
  await follow()
  // 60 cents a second, and 12 for the fast model.
  expect((await account()).quota).toBe(before.quota - (8 * SECOND * 3) / 2)
  await openai.videos.create({ ...TIDES, model: 'veo-3.1-fast-generate-preview', size: LARGE.fullHd })
  vendor.ends()
  await follow()
  expect((await account()).quota).toBe(before.quota - (8 * SECOND * 3) / 2 - 8 * 60_000)
  expect(await app.audit()).toEqual([])
})

test('a video that fails, or is blocked by the filters, costs nothing, and the log says why', async () => {
  const { openai, vendor, account, follow, logs, app } = await fixture()
  const before = await account()
  const ends: [Record<string, unknown>, string][] = [
    [{ response: undefined, error: { code: 13, message: 'The tide is too high' } }, 'The tide is too high'],
    [{ response: { generateVideoResponse: { raiMediaFilteredReasons: ['Too wet.'] } } }, 'Too wet.'],
    [{ response: {} }, 'The model made no video'],
  ]
  for (const [end, message] of ends) {
    const { id } = await openai.videos.create(TIDES)
    vendor.ends(end)
    await follow()
    expect(await openai.videos.retrieve(id)).toMatchObject({ status: 'failed', error: { message } })
    expect(await refusedBy(openai.videos.downloadContent(id))).toMatchObject({ status: 400 })
  }
  expect(await account()).toEqual(before)
  expect((await logs()).map(({ type, detail }) => [type, detail.error])).toEqual(
    ends.map(([, message]) => [6, message]),
  )
  expect(await app.audit()).toEqual([])
})

test('parameters that Veo does not have are refused with a message, and nothing is held or sent', async () => {
  const { openai, vendor, account, post, channel } = await fixture()
  await channel('veo-9', { type: 24, base_url: vendor.url, key: 'k-google' })
  const before = await account()
  const wishes: [Record<string, unknown>, string][] = [
    [{ seconds: '5' }, 'seconds must be one of: 4, 6, 8'],
    [{ seconds: '4', size: '1920x1080' }, 'seconds must be one of: 8'],
    [{ size: '1024x1792' }, 'size must be one of: 720x1280, 1280x720, 1080x1920'],
    [{ model: 'veo-3.1-lite-generate-preview', size: '3840x2160' }, 'size must be one of'],
    [{ watermark: false }, 'watermark'],
    [{ input_reference: { image_url: 'https://x.example/cat.png' } }, 'input_reference'],
  ]
  for (const [wish, sentence] of wishes) {
    const answer = await post('/v1/videos', { ...TIDES, ...wish })
    expect([answer.status, (await answer.json()).error.message]).toEqual([400, expect.stringContaining(sentence)])
  }
  expect([await account(), vendor.asked]).toEqual([before, []])
  // For an unknown model the adapter refuses what it cannot translate, and the hold is released.
  const answer = await post('/v1/videos', { ...TIDES, model: 'veo-9', size: '640x480' })
  expect([answer.status, (await answer.json()).error.message]).toEqual([400, expect.stringContaining("'size'")])
  expect([(await account()).held, vendor.asked]).toEqual([0, []])

  const { id } = await openai.videos.create(TIDES)
  vendor.ends()
  expect(await refusedBy(openai.videos.remix(id, { prompt: 'At night' }))).toMatchObject({
    ...{ status: 400, message: expect.stringContaining('does not support remix') },
  })
  expect(await refusedBy(openai.videos.downloadContent(id, { variant: 'thumbnail' }))).toMatchObject({
    ...{ status: 400, message: expect.stringContaining('does not offer thumbnail') },
  })
})

test("another user's video is not found, and storage in our own network is not contacted", async () => {
  const { app, openai, clientOf, vendor } = await fixture()
  const { id } = await openai.videos.create(TIDES)
  vendor.ends()
  const other = clientOf(await keyOf((await makeUser(app, { quota: 100_000_000 })).client))
  const asked = vendor.asked.length
  for (const ask of [() => other.videos.retrieve(id), () => other.videos.downloadContent(id)])
    expect(await refusedBy(ask())).toMatchObject({ status: 404 })
  expect(vendor.asked.length).toBe(asked)
  const inside = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('secret') })
  vendor.storesAt(`http://127.0.0.1:${inside.port}/`)
  const refusal = await refusedBy(openai.videos.downloadContent(id))
  expect(refusal).toMatchObject({ status: 502 })
  expect(String(refusal)).not.toContain('secret')
  vendor.storesAt(`${vendor.url}/v1beta/files/film:download?alt=media`)
  expect(await refusedBy(openai.videos.downloadContent(id))).toMatchObject({ status: 502 })
  await inside.stop(true)
})

test('a key that Google refuses costs nothing; a connection that breaks off is given up after five minutes', async () => {
  const { openai, vendor, account, follow, app } = await fixture()
  const before = await account()
  vendor.breaks(() =>
    Response.json({ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }, { status: 429 }),
  )
  expect(await refusedBy(openai.videos.create(TIDES))).toMatchObject({ status: 429 })
  expect(await account()).toEqual(before)
  vendor.breaks(() => new Response('<html>', { status: 502 }))
  expect(await refusedBy(openai.videos.create(TIDES))).toMatchObject({ status: 502 })
  expect((await account()).held).toBe(8 * SECOND)
  app.clock.pass(301)
  await follow()
  expect(await account()).toEqual(before)
  expect(await app.audit()).toEqual([])
})
