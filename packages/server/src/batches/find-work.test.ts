import { expect, test } from 'bun:test'
import { makeUser } from '../testing/makers.ts'
import { TIDES, videoFixture } from '../testing/video-fixture.ts'

const fixture = async () => {
  const own = await videoFixture()
  const stranger = await makeUser(own.app)
  return {
    ...own,
    create: () => own.post('/v1/videos', TIDES),
    /** What administrators, the owner and somebody else find. */
    async find(id: string) {
      const rows = async (path: string, client = own.root) => (await client.get(`${path}?request_id=${id}`)).data
      const [all, self, foreign] = [
        await rows('/api/log/'),
        await rows('/api/log/self', own.payer.client),
        await rows('/api/log/self', stranger.client),
      ]
      expect(self).toHaveLength(all.length)
      expect(foreign).toEqual([])
      return all
    },
  }
}

const requestOf = (response: Response) => response.headers.get('x-request-id') ?? ''

test('finished work is found by its id, and by the request that started it', async () => {
  const { create, vendor, follow, find, app } = await fixture()
  const first = await create()
  const { id } = await first.json()
  expect(await find(requestOf(first))).toEqual([])
  vendor.becomes('completed')
  app.clock.pass(7200)
  await follow()
  for (const name of [id, requestOf(first)])
    expect(await find(name)).toMatchObject([{ type: 2, request_id: id, model_name: 'sora-2' }])
  expect(await find(requestOf(await create()))).toEqual([])
})

test('work that its owner has removed is still found by its id', async () => {
  const { create, vendor, follow, find, openai } = await fixture()
  const { id } = await (await create()).json()
  vendor.becomes('completed')
  await follow()
  await openai.videos.delete(id)
  expect(await find(id)).toMatchObject([{ request_id: id }])
})

test('work that the vendor refuses is found by its request, whose id is all that the caller has', async () => {
  const { create, vendor, find } = await fixture()
  vendor.breaks(() => Response.json({ error: { message: 'Not like this' } }, { status: 400 }))
  const refused = await create()
  expect(refused.status).toBe(400)
  const request_id = requestOf(refused)
  expect(await find(request_id)).toMatchObject([
    { type: 6, request_id, content: expect.stringContaining('Not like this') },
  ])
})

test('work of which nobody knows whether the vendor accepted it is found by its request once it is given up', async () => {
  const { create, vendor, find, follow, app } = await fixture()
  vendor.breaks(() => Response.json({ error: { message: 'Broken' } }, { status: 500 }))
  const failed = await create()
  expect(failed.status).toBe(500)
  vendor.videos.clear()
  app.clock.pass(7200)
  await follow()
  expect(await find(requestOf(failed))).toMatchObject([{ type: 6, model_name: 'sora-2' }])
})
