import { expect, setDefaultTimeout, test } from 'bun:test'
import { relayFixture } from '../testing/relay-fixture.ts'
import { TWO_PART_CALLS, twoPartVendor } from '../testing/two-part-calls.ts'

// A world for each event of each kind of call, possibly on a busy machine.
setDefaultTimeout(120_000)

/* Something happens while a call of any kind waits for its answer, or for the rest of it. Every token costs 1. */

const OPTIONS = { ModelRatio: '{"m":1}', CompletionRatio: '{"m":1}', ReadOnSeconds: 0, RetryTimes: 2 }

const fixture = async (kind: string) => {
  const call = TWO_PART_CALLS[kind] ?? expect.unreachable()
  const vendor = twoPartVendor(call)
  const relay = await relayFixture({ options: OPTIONS })
  const { id: channelId } = await relay.channel('m', { type: call.channelType ?? 1, base_url: vendor.url })
  const [{ id: tokenId }] = (await relay.payer.client.get('/api/token/')).data
  const client = new AbortController()
  return { ...relay, call, vendor, client, channelId, tokenId: Number(tokenId) }
}

type World = Awaited<ReturnType<typeof fixture>>

/** These end the call. */
const ENDS: Record<string, (world: World) => unknown> = {
  'the client leaves': ({ client }) => client.abort(),
  'the key is deleted': ({ payer, tokenId }) => payer.client.delete(`/api/token/${tokenId}`),
  'the key is disabled': ({ payer, tokenId }) =>
    payer.client.put('/api/token/?status_only=1', { id: tokenId, status: 2 }),
  'the user is banned': ({ root, payer }) =>
    root.post('/api/user/manage', { username: payer.username, action: 'disable' }),
  'the user is deleted': ({ root, payer }) => root.delete(`/api/user/${payer.id}`),
}

/** These do not, and change nothing of its price. */
const CHANGES: Record<string, (world: World) => unknown> = {
  'the price changes': ({ root }) => root.put('/api/option/', { key: 'ModelRatio', value: '{"m":100}' }),
  'the balance is taken away': ({ root, payer }) => root.put('/api/user/', { id: payer.id, quota: 0 }),
  'the channel is deleted': ({ root, channelId }) => root.delete(`/api/channel/${channelId}`),
}

/** Runs a call until nothing, or the first part of its answer, has arrived. */
async function begun(world: World, moment: string) {
  const { post, call, vendor, client } = world
  const calling = post(call.path, call.body(), { signal: client.signal }).catch(() => undefined)
  await vendor.asked
  if (moment === 'before') return async () => (await calling)?.bytes().catch(() => undefined)
  vendor.first()
  // Only where parts are passed on does the client have anything yet.
  const reader = call.firstCost === 0 ? undefined : (await calling)?.body?.getReader()
  await reader?.read()
  return async () => {
    if (reader === undefined) return (await calling)?.bytes().catch(() => undefined)
    while ((await reader.read().catch(() => undefined))?.done === false);
    return undefined
  }
}

const expectBooks = async ({ app, account, charges, logs, openHolds }: World, cost: number) => {
  expect((await charges()).map(({ kind, delta }) => [kind, delta])).toEqual(cost === 0 ? [] : [['consume', -cost]])
  expect((await logs()).map(({ type, quota }) => [type, quota])).toEqual([[cost === 0 ? 6 : 2, cost]])
  expect(await account()).toMatchObject({ held: 0, used_quota: cost })
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
}

/** What a node does every two seconds. */
const lookForRevoked = ({ app }: World) => app.parts.jobs.find(({ name }) => name === 'revoked callers')?.run()

const CASES = Object.keys(TWO_PART_CALLS).flatMap((kind) => [
  [kind, 'before'],
  [kind, 'in'],
])

test.each(CASES)('%s that ends %s the middle of its answer costs what was delivered', async (kind, moment) => {
  for (const [event, happen] of Object.entries(ENDS)) {
    const world = await fixture(kind)
    const rest = await begun(world, moment)
    await happen(world)
    await lookForRevoked(world)
    await world.atRest()
    await rest()
    await expectBooks(world, moment === 'before' ? 0 : world.call.firstCost)
    expect([event, (await world.logs())[0]?.outcome]).toEqual([
      event,
      event === 'the client leaves' ? 'canceled' : 'access',
    ])
    // It is nobody's fault but the caller's.
    expect(world.app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  }
})

test.each(CASES)(
  '%s costs what it cost when it began, whatever changes %s the middle of its answer',
  async (kind, moment) => {
    for (const [event, happen] of Object.entries(CHANGES)) {
      const world = await fixture(kind)
      const rest = await begun(world, moment)
      await happen(world)
      await lookForRevoked(world)
      world.vendor.first()
      world.vendor.second()
      await rest()
      await world.atRest()
      await expectBooks(world, world.call.cost)
      expect((await world.account()).quota).toBe(
        (event === 'the balance is taken away' ? 0 : 1_000_000) - world.call.cost,
      )
    }
  },
)
