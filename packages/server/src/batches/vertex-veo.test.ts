import { expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import { refusedBy } from '../testing/batch-fixture.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf, readded, relayFixture } from '../testing/relay-fixture.ts'
import { serviceAccount } from '../testing/replayed-vendors.ts'
import { VEO_VIDEO_BYTES } from '../testing/vendors/fake-veo.ts'
import { fakeVertexVeo } from '../testing/vendors/fake-vertex-veo.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/** 40 cents are 200,000 quota. */
const SECOND = 200_000
const MODEL = 'veo-3.1-generate-001'
const TIDES = { model: MODEL, prompt: 'The tide comes in', seconds: '8', size: '1280x720' } as const

const fixture = async () => {
  const own = await relayFixture({ quota: 100_000_000 })
  const vendor = fakeVertexVeo()
  const config = {
    ...{ region: 'us-central1', vertex_ai_project_id: 'the-project' },
    vertex_ai_adc: serviceAccount(`${vendor.url}/token`),
  }
  const channel = { type: 42, base_url: vendor.url, key: '', config: JSON.stringify(config) }
  const { id } = await own.channel(`${MODEL},gemini-2.5-pro`, channel)
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${own.app.url}/v1`, maxRetries: 0 })
  const follow = async () => {
    await own.app.parts.jobs.find(({ name }) => name === 'batches')?.run()
  }
  return { ...own, vendor, config, channelId: id, clientOf, openai: clientOf(own.key), follow }
}

test('a Veo video of Vertex AI is created, polled and downloaded through OpenAI’s client, and charged once', async () => {
  const { openai, vendor, account, onlyLog, charges, follow, app } = await fixture()
  const before = await account()
  const input_reference = await toFile(Buffer.from('picture'), 'tide.png', { type: 'image/png' })
  const queued = await openai.videos.create({ ...TIDES, input_reference })
  const place = '/v1/projects/the-project/locations/us-central1/publishers/google/models'
  expect(vendor.asked).toEqual([
    {
      path: `${place}/${MODEL}:predictLongRunning`,
      body: {
        instances: [{ prompt: TIDES.prompt, image: { bytesBase64Encoded: btoa('picture'), mimeType: 'image/png' } }],
        parameters: {
          ...{ aspectRatio: '16:9', resolution: '720p', durationSeconds: 8, sampleCount: 1, generateAudio: true },
        },
      },
    },
  ])
  expect(queued).toMatchObject({ object: 'video', status: 'in_progress', model: MODEL, seconds: '8' })
  expect(await account()).toMatchObject({ quota: before.quota, held: 8 * SECOND })
  await follow()
  expect(vendor.asked.at(-1)).toMatchObject({ path: `${place}/${MODEL}:fetchPredictOperation` })
  expect(await refusedBy(openai.videos.downloadContent(queued.id))).toMatchObject({ status: 409 })

  vendor.ends()
  await follow()
  expect(await openai.videos.retrieve(queued.id)).toMatchObject({ status: 'completed', progress: 100, error: null })
  const content = await openai.videos.downloadContent(queued.id)
  expect(content.headers.get('content-type')).toBe('video/mp4')
  expect(Buffer.from(await content.arrayBuffer()).equals(VEO_VIDEO_BYTES)).toBe(true)
  expect(await account()).toMatchObject({ quota: before.quota - 8 * SECOND, held: 0, request_count: 1 })
  expect(await charges()).toMatchObject([{ ref: queued.id, delta: -8 * SECOND }])
  const log = await onlyLog()
  expect(log).toMatchObject({ type: 2, model_name: MODEL, detail: { usage: { videoSeconds: 8 } } })
  expect(readded(log.detail)).toBe(8 * SECOND)
  expect(await app.audit()).toEqual([])
})

test('a video that fails or is filtered costs nothing; one is found again after the channel has moved', async () => {
  const { openai, vendor, account, follow, logs, root, channelId, config, app } = await fixture()
  const before = await account()
  const ends: [Record<string, unknown>, string][] = [
    [{ response: undefined, error: { code: 3, message: 'The tide is too high' } }, 'The tide is too high'],
    [{ response: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Too wet.'] } }, 'Too wet.'],
  ]
  for (const [end, message] of ends) {
    const { id } = await openai.videos.create(TIDES)
    vendor.ends(end)
    await follow()
    expect(await openai.videos.retrieve(id)).toMatchObject({ status: 'failed', error: { message } })
  }
  expect(await account()).toEqual(before)
  expect((await logs()).map(({ type, detail }) => [type, detail.error])).toEqual(ends.map(([, text]) => [6, text]))
  await openai.videos.create(TIDES)
  vendor.ends()
  await root.put('/api/channel/', { id: channelId, config: JSON.stringify({ ...config, region: 'europe-west4' }) })
  await follow()
  expect((await account()).quota).toBe(before.quota - 8 * SECOND)
  expect(await app.audit()).toEqual([])
})

test('what is not Veo, or not the caller’s, is refused; a lost creation is given up after five minutes', async () => {
  const { app, openai, clientOf, vendor, account, follow } = await fixture()
  const { id } = await openai.videos.create(TIDES)
  vendor.ends()
  await follow()
  const asked = vendor.asked.length
  const other = clientOf(await keyOf((await makeUser(app, { quota: 100_000_000 })).client))
  for (const ask of [() => other.videos.retrieve(id), () => other.videos.downloadContent(id)])
    expect(await refusedBy(ask())).toMatchObject({ status: 404 })
  expect(await refusedBy(openai.videos.create({ ...TIDES, model: 'gemini-2.5-pro' }))).toMatchObject({ status: 404 })
  expect(vendor.asked.length).toBe(asked)
  const before = await account()
  vendor.breaks(() => new Response('<html>', { status: 502 }))
  expect(await refusedBy(openai.videos.create(TIDES))).toMatchObject({ status: 502 })
  app.clock.pass(301)
  await follow()
  expect(await account()).toEqual(before)
  expect(await app.audit()).toEqual([])
})
