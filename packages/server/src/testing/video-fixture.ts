import OpenAI from 'openai'
import { relayFixture } from './relay-fixture.ts'
import { fakeVideos } from './vendors/fake-videos.ts'

/** 10 cents are 50,000 quota. */
export const SECOND = 50_000

export const TIDES = { model: 'sora-2', prompt: 'The tide comes in', seconds: '8', size: '1280x720' } as const

/** A gateway with a vendor that makes videos, and OpenAI's client in front. */
export const videoFixture = async (overrides: Parameters<typeof relayFixture>[0] = {}) => {
  const own = await relayFixture({ quota: 100_000_000, ...overrides })
  const vendor = fakeVideos()
  await own.channel('sora-2', { type: 1, base_url: vendor.url, key: 'k-openai', models: 'sora-2,sora-2-pro' })
  const clientOf = (apiKey: string, url = own.app.url) => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
  const run = () => own.app.parts.jobs.find(({ name }) => name === 'batches')?.run()
  return {
    ...own,
    vendor,
    clientOf,
    openai: clientOf(own.key),
    /** The job that runs once a minute, on one node. */
    follow: async () => {
      await run()
    },
  }
}
