import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { batchFixture, CLAUDE, MINI, refusedBy } from '../testing/batch-fixture.ts'
import type { Client } from '../testing/client.ts'
import { midjourneyFixture } from '../testing/midjourney-fixture.ts'
import { TIDES, videoFixture } from '../testing/video-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const CALLER = { group: 'vip,default', quota: 100_000_000 }

interface World {
  root: Client
  /** Starts the work, or rejects with the refusal. */
  start(): Promise<unknown>
}

/** Work that any channel can do: a channel of the first group comes before that of the second. */
const ANYWHERE: Record<string, () => Promise<World>> = {
  'a background response': async () => {
    const { root, openai, channel, vendor } = await batchFixture(CALLER)
    await channel(MINI, { type: 1, base_url: vendor.url, key: 'k-openai', group: 'vip' })
    const input = { model: MINI, input: 'Tell me of tides', background: true, max_output_tokens: 200 }
    return { root, start: () => openai.responses.create(input) }
  },
  'a message batch': async () => {
    const { root, app, key, channel, vendor } = await batchFixture(CALLER)
    for (const group of ['vip', 'default'])
      await channel(CLAUDE, { type: 14, base_url: vendor.url, key: 'k-claude', group })
    const client = new Anthropic({ apiKey: key, baseURL: app.url, maxRetries: 0 })
    const params = { model: CLAUDE, max_tokens: 200, messages: [{ role: 'user' as const, content: 'Tides?' }] }
    return { root, start: () => client.messages.batches.create({ requests: [{ custom_id: 'a', params }] }) }
  },
  'a video': async () => {
    const { root, openai, channel, vendor } = await videoFixture(CALLER)
    await channel(TIDES.model, { type: 1, base_url: vendor.url, key: 'k-openai', group: 'vip' })
    return { root, start: () => openai.videos.create(TIDES) }
  },
  'a Midjourney task': async () => {
    const { root, submit, channel, vendor } = await midjourneyFixture(CALLER)
    await channel('mj_imagine', { type: 61, base_url: vendor.url, key: 'k-mj', group: 'vip' })
    return { root, start: () => accepted(submit('imagine', { prompt: 'Tides' })) }
  },
}

/** Work that only the channel of what came before can do: it is open to both groups. */
const BOUND: Record<string, () => Promise<World>> = {
  'a batch of a file': async () => {
    const { root, begin, channelId } = await batchFixture(CALLER)
    await openToBoth(root, channelId)
    return { root, start: () => begin() }
  },
  'a remix': async () => {
    const { root, openai, vendor } = await videoFixture(CALLER)
    await openToBoth(root)
    const { id } = await openai.videos.create(TIDES)
    vendor.becomes('completed')
    return { root, start: () => openai.videos.remix(id, { prompt: 'At night' }) }
  },
  'a change of a Midjourney task': async () => {
    const { root, submit, vendor } = await midjourneyFixture(CALLER)
    await openToBoth(root)
    const { result } = await submit('imagine', { prompt: 'Tides' })
    vendor.becomes('SUCCESS')
    return { root, start: () => accepted(submit('change', { taskId: result, action: 'REROLL' })) }
  },
}

const openToBoth = async (root: Client, only?: number) => {
  const { data } = await root.get('/api/channel/')
  for (const { id } of data)
    if (only === undefined || id === only)
      expect(await root.put('/api/channel/', { id, group: 'vip,default' })).toMatchObject({ success: true })
}

async function accepted(submitted: Promise<{ code: number; description: string }>) {
  const answer = await submitted
  if (answer.code !== 1) throw new Error(answer.description)
  return answer
}

const limit = async (root: Client, scope: string, target: string, quota: number) => {
  const { data: id } = await root.post('/api/budget/', { scope, target, quota, period: 'day', zone: 'UTC' })
  return { id, held: async () => (await root.get(`/api/budget/${id}`)).data.held }
}

test.each(Object.entries({ ...ANYWHERE, ...BOUND }))(
  '%s counts against the next group of the caller where the budget of the first is spent',
  async (_, world) => {
    const { root, start } = await world()
    const vip = await limit(root, 'group', 'vip', 1)
    const others = await limit(root, 'group', 'default', 10_000_000)
    await start()
    expect(await vip.held()).toBe(0)
    expect(await others.held()).toBeGreaterThan(0)
    await root.delete(`/api/budget/${others.id}`)
    await limit(root, 'group', 'default', 1)
    expect(await refusedBy(start())).toMatchObject({ message: expect.stringMatching(/this group|该分组/) })
  },
)

test.each(Object.entries({ ...ANYWHERE, ...BOUND }))(
  '%s is refused by the budget of the account, whatever groups there are',
  async (_, world) => {
    const { root, start } = await world()
    const { data } = await root.get('/api/user/')
    for (const { id } of data) await limit(root, 'user', String(id), 1)
    expect(await refusedBy(start())).toMatchObject({ message: expect.stringMatching(/this account|该账户/) })
  },
)

test.each(Object.entries(ANYWHERE))('%s passes over a channel whose budget is spent', async (_, world) => {
  const { root, start } = await world()
  const { data } = await root.get('/api/channel/')
  for (const { id, group } of data) if (group === 'vip') await limit(root, 'channel', String(id), 1)
  await start()
  for (const { id, group } of data) if (group !== 'vip') await limit(root, 'channel', String(id), 1)
  expect(await refusedBy(start())).toMatchObject({ message: expect.stringMatching(/channel|渠道/) })
})
