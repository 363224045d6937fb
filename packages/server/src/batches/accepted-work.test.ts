import { expect, setDefaultTimeout, test } from 'bun:test'
import { batchFixture, batchOf, CLAUDE, chatLines, MINI } from '../testing/batch-fixture.ts'
import { createFaults, type Faults } from '../testing/failing-database.ts'
import { midjourneyFixture } from '../testing/midjourney-fixture.ts'
import type { RelayFixture } from '../testing/relay-fixture.ts'
import { TIDES, videoFixture } from '../testing/video-fixture.ts'

// Each round starts a server and a database, possibly on a busy machine.
setDefaultTimeout(120_000)

interface Work {
  world: RelayFixture
  create(): Promise<Response>
  /** How much the vendor has accepted. */
  accepted(): number
}

const KINDS: Record<string, (faults: Faults) => Promise<Work>> = {
  async 'a batch'(faults) {
    const world = await batchFixture({ faults })
    const { id } = await world.upload(chatLines(1))
    return { world, create: () => world.post('/v1/batches', batchOf(id)), accepted: () => world.vendor.batches.size }
  },
  async 'a message batch'(faults) {
    const world = await batchFixture({ faults })
    await world.channel(CLAUDE, { type: 14, base_url: world.vendor.url, key: 'k-claude' })
    const params = { model: CLAUDE, max_tokens: 200, messages: [{ role: 'user', content: 'Tides?' }] }
    const create = () => world.post('/v1/messages/batches', { requests: [{ custom_id: 'a', params }] })
    return { world, create, accepted: () => world.vendor.batches.size }
  },
  async 'a background response'(faults) {
    const world = await batchFixture({ faults })
    const create = () => world.post('/v1/responses', { model: MINI, input: 'Tides?', background: true })
    return { world, create, accepted: () => world.vendor.responses.size }
  },
  async 'a video'(faults) {
    const world = await videoFixture({ faults })
    return { world, create: () => world.post('/v1/videos', TIDES), accepted: () => world.vendor.videos.size }
  },
  async 'a Midjourney task'(faults) {
    const world = await midjourneyFixture({ faults })
    const create = () => world.post('/mj/submit/imagine', { prompt: 'Cat' })
    return { world, create, accepted: () => world.vendor.tasks.size }
  },
}

test.each(Object.keys(KINDS))(
  'whichever statement fails while %s is created: if the vendor accepts it, its id reaches the caller',
  async (kind) => {
    for (let statement = 1; ; statement++) {
      const faults = createFaults()
      const { world, create, accepted } = (await KINDS[kind]?.(faults)) ?? expect.unreachable()
      faults.failAt(statement)
      const { ok } = await create()
      const isOver = faults.count() < statement
      faults.failAt(0)
      expect([statement, ok]).toEqual([statement, accepted() === 1])
      expect(await world.app.audit()).toEqual([])
      if (isOver) return
    }
  },
)
