import { expect, setDefaultTimeout, test } from 'bun:test'
import { batchFixture, CLAUDE } from '../testing/batch-fixture.ts'
import { midjourneyFixture } from '../testing/midjourney-fixture.ts'
import type { RelayFixture } from '../testing/relay-fixture.ts'
import { TIDES, videoFixture } from '../testing/video-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

type Stream = () => ReadableStream<Uint8Array>

/** A path whose content is this stream, for each kind of download. */
const DOWNLOADS: Record<string, (stream: Stream) => Promise<RelayFixture & { path: string }>> = {
  async 'a file'(stream) {
    const world = await batchFixture()
    const { id } = await world.begin(3)
    world.vendor.end('completed')
    const { output_file_id } = await world.openai.batches.retrieve(id)
    world.vendor.serves(() => new Response(stream()))
    return { ...world, path: `/v1/files/${output_file_id}/content` }
  },
  async 'the results of a message batch'(stream) {
    const world = await batchFixture()
    await world.channel(CLAUDE, { type: 14, base_url: world.vendor.url, key: 'k-claude' })
    const params = { model: CLAUDE, max_tokens: 200, messages: [{ role: 'user', content: 'Tides?' }] }
    const made = await world.post('/v1/messages/batches', { requests: [{ custom_id: 'a', params }] })
    const { id } = await made.json()
    world.vendor.end('ended')
    await world.follow()
    world.vendor.serves(() => new Response(stream()))
    return { ...world, path: `/v1/messages/batches/${id}/results` }
  },
  async 'a video'(stream) {
    const world = await videoFixture()
    const { id } = await world.openai.videos.create(TIDES)
    world.vendor.becomes('completed')
    await world.follow()
    world.vendor.streamsVideo(stream)
    return { ...world, path: `/v1/videos/${id}/content` }
  },
  async 'an image at a URL'(stream) {
    const world = await midjourneyFixture()
    const { result } = await world.submit('imagine', { prompt: 'Cat' })
    world.vendor.becomes('SUCCESS')
    await world.follow()
    world.vendor.streamsPicture(stream)
    return { ...world, path: `/mj/image/${result}` }
  },
}

test.each(Object.keys(DOWNLOADS))('the download of %s by a banned user is cut off, at both ends', async (kind) => {
  const left = Promise.withResolvers<void>()
  const world = await DOWNLOADS[kind]?.(
    () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
        cancel: () => left.resolve(),
      }),
  )
  if (world === undefined) throw new Error('It is in the table')
  const { app, root, payer, key, path, atRest } = world
  const charges = await world.charges()
  const { body } = await fetch(app.url + path, { headers: { authorization: `Bearer ${key}` } })
  const reader = body?.getReader()
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
  await root.post('/api/user/manage', { username: payer.username, action: 'disable' })
  await app.parts.jobs.find(({ name }) => name === 'revoked callers')?.run()
  const readToTheEnd = async () => {
    while ((await reader?.read())?.done === false);
  }
  await expect(readToTheEnd()).rejects.toThrow()
  await left.promise
  await atRest()
  expect(await world.charges()).toEqual(charges)
  expect(await app.audit()).toEqual([])
})
