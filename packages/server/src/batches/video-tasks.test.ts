import { expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import { refusedBy } from '../testing/batch-fixture.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { fakeCogVideo, fakeHailuo, fakeWan, TASK_VIDEO_BYTES } from '../testing/vendors/fake-video-tasks.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

interface Vendor {
  name: string
  fake: typeof fakeWan
  type: number
  key: string
  model: string
  wish: { seconds: string; size: string }
  sent: Record<string, unknown>
  /** For a video that starts from an image. */
  picture: { model?: string; sent: Record<string, unknown> }
  /** The cost at a ratio of 10. */
  cost: number
  usage: Record<string, number>
  wrong: { seconds: string; size: string }
  failure: string
}

const PICTURE = `data:image/png;base64,${btoa('picture')}`

const VENDORS: Vendor[] = [
  {
    ...{ name: 'Wan', fake: fakeWan, type: 17, key: 'k-ali', model: 'wan2.5-t2v-preview' },
    wish: { seconds: '5', size: '1280x720' },
    sent: { model: 'wan2.5-t2v-preview', input: { prompt: 'The tide' }, parameters: { size: '1280*720' } },
    picture: {
      model: 'wan2.5-i2v-preview',
      sent: {
        model: 'wan2.5-i2v-preview',
        ...{ input: { prompt: 'The tide', img_url: PICTURE }, parameters: { resolution: '720P' } },
      },
    },
    ...{ cost: 5 * 10_000, usage: { videoSeconds: 5 }, wrong: { seconds: '90', size: '1280x720' } },
    failure: 'The tide is too high',
  },
  {
    ...{ name: 'Wan on Bailian', fake: fakeWan, type: 49, key: 'k-ali', model: 'wan2.6-t2v' },
    wish: { seconds: '10', size: '1920x1080' },
    sent: { model: 'wan2.6-t2v', input: { prompt: 'The tide' }, parameters: { size: '1920*1080', duration: 10 } },
    picture: {
      model: 'wan2.6-i2v',
      sent: {
        model: 'wan2.6-i2v',
        ...{ input: { prompt: 'The tide', img_url: PICTURE }, parameters: { resolution: '1080P', duration: 10 } },
      },
    },
    // The vendor reports five of the ten requested seconds.
    ...{ cost: 5 * 10_000, usage: { videoSeconds: 5 }, wrong: { seconds: '0', size: '1280x720' } },
    failure: 'The tide is too high',
  },
  {
    ...{ name: 'CogVideoX', fake: fakeCogVideo, type: 16, key: 'id.secret', model: 'cogvideox-3' },
    wish: { seconds: '10', size: '1920x1080' },
    sent: { model: 'cogvideox-3', prompt: 'The tide', size: '1920x1080', duration: 10 },
    picture: {
      sent: { model: 'cogvideox-3', prompt: 'The tide', size: '1920x1080', duration: 10, image_url: PICTURE },
    },
    // Priced per video.
    ...{ cost: 10_000, usage: { tasks: 1 }, wrong: { seconds: '8', size: '1920x1080' } },
    failure: 'Zhipu could not make the video',
  },
  {
    ...{ name: 'Hailuo', fake: fakeHailuo, type: 27, key: 'k-minimax', model: 'MiniMax-Hailuo-02' },
    wish: { seconds: '6', size: '1366x768' },
    sent: { model: 'MiniMax-Hailuo-02', prompt: 'The tide', duration: 6, resolution: '768P' },
    picture: {
      sent: {
        ...{ model: 'MiniMax-Hailuo-02', prompt: 'The tide', duration: 6, resolution: '768P' },
        first_frame_image: PICTURE,
      },
    },
    ...{ cost: 6 * 10_000, usage: { videoSeconds: 6 }, wrong: { seconds: '10', size: '1920x1080' } },
    failure: 'The tide is too high',
  },
]

const fixture = async ({ fake, type, key, model, picture }: Vendor) => {
  const models = [model, ...(picture.model === undefined ? [] : [picture.model])]
  const options = { ModelRatio: JSON.stringify(Object.fromEntries(models.map((name) => [name, 10]))) }
  const own = await relayFixture({ quota: 100_000_000, options })
  const vendor = fake()
  await own.channel([...models, 'a-chat'].join(','), { type, base_url: vendor.url, key })
  const openai = new OpenAI({ apiKey: own.key, baseURL: `${own.app.url}/v1`, maxRetries: 0 })
  const follow = async () => {
    await own.app.parts.jobs.find(({ name }) => name === 'batches')?.run()
  }
  // OpenAI's types list only the lengths and sizes of its own models; the client sends any value.
  const create = (more: object = {}) =>
    openai.videos.create({ model, prompt: 'The tide', ...more } as Parameters<typeof openai.videos.create>[0])
  return { ...own, vendor, openai, follow, create }
}

test.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))(
  '%s makes a video for OpenAI’s client, which is polled, downloaded and charged once',
  async (_, described) => {
    const { vendor, openai, follow, create, account, onlyLog, app } = await fixture(described)
    const { wish, sent, model, cost, usage } = described
    const before = await account()
    const video = await create(wish)
    expect(vendor.asked.at(-1)?.body).toEqual(sent)
    expect(video).toMatchObject({ model, ...wish, prompt: 'The tide', error: null })
    expect((await account()).held).toBeGreaterThanOrEqual(cost)
    await follow()
    expect((await openai.videos.retrieve(video.id)).status).toBe('in_progress')
    vendor.becomes('completed')
    await follow()
    expect(await openai.videos.retrieve(video.id)).toMatchObject({ id: video.id, status: 'completed', progress: 100 })
    const content = await openai.videos.downloadContent(video.id)
    expect(Buffer.from(await content.arrayBuffer()).equals(TASK_VIDEO_BYTES)).toBe(true)
    expect(await account()).toMatchObject({ quota: before.quota - cost, held: 0, request_count: 1 })
    expect((await onlyLog()).detail).toMatchObject({ source: 'reported', usage, price: { source: 'ratio' } })
    expect(await app.audit()).toEqual([])
  },
)

test.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))(
  '%s gets a reference image, receives only parameters it has, and costs nothing when it fails',
  async (_, described) => {
    const { vendor, openai, follow, create, account, app } = await fixture(described)
    const { wish, picture, wrong, failure } = described
    const before = await account()
    expect(await refusedBy(create(wrong))).toMatchObject({ status: 400 })
    expect(await refusedBy(create({ ...wish, watermark: true }))).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('watermark') },
    })
    expect(await refusedBy(create({ ...wish, model: 'a-chat' }))).toMatchObject({ status: 404 })
    expect([await account(), vendor.asked]).toEqual([before, []])
    const input_reference = await toFile(Buffer.from('picture'), 'tide.png', { type: 'image/png' })
    const { id } = await create({
      ...wish,
      input_reference,
      ...(picture.model !== undefined && { model: picture.model }),
    })
    expect(vendor.asked.at(-1)?.body).toEqual(picture.sent)
    vendor.becomes('failed')
    await follow()
    expect(await openai.videos.retrieve(id)).toMatchObject({ status: 'failed', error: { message: failure } })
    expect(await account()).toEqual(before)
    expect(await app.audit()).toEqual([])
  },
)
