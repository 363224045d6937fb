import { batchFixture, batchOf, CLAUDE, chatLines, MINI } from './batch-fixture.ts'
import { midjourneyFixture } from './midjourney-fixture.ts'
import type { RelayFixture } from './relay-fixture.ts'
import { TIDES, videoFixture } from './video-fixture.ts'

interface Work {
  world: RelayFixture & { follow(): Promise<void> }
  create(url?: string): Promise<Response>
  /** How much the vendor has accepted. */
  accepted(): number
  /** The vendor no longer knows any of it, until the returned function is called. */
  forget(): () => void
}

const vendorHas = <T>(work: Map<string, T>) => ({
  accepted: () => work.size,
  forget() {
    const all = [...work]
    work.clear()
    return () => {
      for (const [id, one] of all) work.set(id, one)
    }
  },
})

/** Everything that a vendor accepts and answers later. `url`: another node. */
export const ACCEPTED_WORK: Record<string, (overrides?: Parameters<typeof batchFixture>[0]) => Promise<Work>> = {
  async 'a file'(overrides) {
    const world = await batchFixture(overrides)
    const form = () => {
      const form = new FormData()
      form.set('purpose', 'batch')
      form.set('file', new File([JSON.stringify(chatLines(1)[0])], 'in.jsonl'))
      return form
    }
    return { world, create: (url) => world.post('/v1/files', form(), { url }), ...vendorHas(world.vendor.files) }
  },
  async 'a batch'(overrides) {
    const world = await batchFixture(overrides)
    const { id } = await world.upload(chatLines(1))
    const create = (url?: string) => world.post('/v1/batches', batchOf(id), { url })
    return { world, create, ...vendorHas(world.vendor.batches) }
  },
  async 'a message batch'(overrides) {
    const world = await batchFixture(overrides)
    await world.channel(CLAUDE, { type: 14, base_url: world.vendor.url, key: 'k-claude' })
    const params = { model: CLAUDE, max_tokens: 200, messages: [{ role: 'user', content: 'Tides?' }] }
    const body = { requests: [{ custom_id: 'a', params }] }
    const create = (url?: string) => world.post('/v1/messages/batches', body, { url })
    return { world, create, ...vendorHas(world.vendor.batches) }
  },
  async 'a background response'(overrides) {
    const world = await batchFixture(overrides)
    const body = { model: MINI, input: 'Tides?', background: true }
    return {
      world,
      create: (url) => world.post('/v1/responses', body, { url }),
      ...vendorHas(world.vendor.responses),
    }
  },
  async 'a video'(overrides) {
    const world = await videoFixture(overrides)
    return {
      world,
      create: (url) => world.post('/v1/videos', TIDES, { url }),
      ...vendorHas(world.vendor.videos),
    }
  },
  async 'a Midjourney task'(overrides) {
    const world = await midjourneyFixture(overrides)
    const create = (url?: string) => world.post('/mj/submit/imagine', { prompt: 'Cat' }, { url })
    return { world, create, ...vendorHas(world.vendor.tasks) }
  },
}
