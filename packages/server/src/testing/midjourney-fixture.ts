import { relayFixture } from './relay-fixture.ts'
import { fakeMidjourney } from './vendors/fake-midjourney.ts'

/** 10 cents are 50,000 quota. */
export const IMAGINE = 50_000
export const UPSCALE = 25_000

const MJ_MODELS = [
  ...['mj_imagine', 'mj_upscale', 'mj_variation', 'mj_reroll', 'mj_blend', 'mj_describe', 'mj_shorten', 'mj_zoom'],
  ...['mj_inpaint', 'mj_modal'],
].join(',')

/** A gateway with a midjourney-proxy server behind it. */
export const midjourneyFixture = async (options: Parameters<typeof relayFixture>[0] = {}) => {
  const own = await relayFixture({ quota: 10_000_000, ...options })
  const vendor = fakeMidjourney()
  await own.channel(MJ_MODELS, { type: 61, base_url: vendor.url, key: 'k-mj' })
  const callerOf = (key: string, url = own.app.url) => ({
    submit: async (kind: string, body: object) => (await own.post(`/mj/submit/${kind}`, body, { key, url })).json(),
    fetched: async (id: string) => {
      const answer = await fetch(`${url}/mj/task/${id}/fetch`, { headers: { 'mj-api-secret': key } })
      return { status: answer.status, task: await answer.json() }
    },
    listed: async (ids: readonly string[]) =>
      (await own.post('/mj/task/list-by-condition', { ids }, { key, url })).json(),
  })
  const run = () => own.app.parts.jobs.find(({ name }) => name === 'batches')?.run()
  return {
    ...own,
    vendor,
    callerOf,
    ...callerOf(own.key),
    /** The job that runs once a minute, on one node. */
    follow: async () => {
      await run()
    },
  }
}
