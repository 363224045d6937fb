import { expect, setDefaultTimeout, test } from 'bun:test'
import type { GroupRateLimits } from '@tollgate/contract'
import { MINUTE_MS } from '../../limits/counter.ts'
import { testApp } from '../../testing/app.ts'
import { atOnce, setLimits } from '../../testing/limit-makers.ts'
import { makeUser } from '../../testing/makers.ts'
import { startNode } from '../../testing/node-process.ts'
import { redisServer } from '../../testing/outside/redis-server.ts'
import { keyOf, MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

// Processes are started and killed, possibly on a busy machine.
setDefaultTimeout(120_000)

const MODEL = 'fixed/12/10'

/** A second node on the same database and Redis, and a way to call either. */
async function twoNodes() {
  const redis = await redisServer()
  const relay = await relayFixture({ redisUrl: redis.url })
  await relay.channel(`${MODEL},fault/hang`)
  const other = await testApp({ redisUrl: redis.url, location: relay.app.location })
  await Promise.all([relay.app.logged('Redis answers'), other.logged('Redis answers')])
  const urls = [relay.app.url, other.url]
  const chatAt = (url: string, model = MODEL, signal?: AbortSignal) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${relay.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: MESSAGES, max_tokens: 20 }),
      ...(signal === undefined ? {} : { signal }),
    })
  return {
    ...{ redis, relay, other, chatAt },
    either: (turn: number) => chatAt(urls[turn % 2] ?? ''),
    shown: async () => (await relay.payer.client.get('/api/user/self/limits')).data,
  }
}

test('two nodes that share a Redis allow together what one would', async () => {
  const { relay, either, shown } = await twoNodes()
  await setLimits(relay, { key: { rpm: 1 }, user: { rpm: 1 } })
  await expectPassed({ calls: 60, perMinute: 1 }, either)
  await setLimits(relay, { key: {}, user: { concurrency: 5, tpm: 60 } })
  expect(Object.keys(await atOnce(60, either)).sort()).toEqual(['200', '429'])
  await until(async () => (await shown()).limits[0].concurrency.used === 0)
  const { shared, limits } = await shown()
  expect(shared).toBe(true)
  expect(limits).toMatchObject([{ scope: 'user', tpm: { limit: 60 }, concurrency: { limit: 5 } }])
})

test('limits that the users of a group share apply to all of them, on two nodes, and others keep their own', async () => {
  const { relay, other } = await twoNodes()
  const second = await makeUser(relay.app, { quota: 1_000_000 })
  const callers = [
    { url: relay.app.url, key: relay.key },
    { url: other.url, key: await keyOf(second.client) },
  ]
  const either = (turn: number) => {
    const { url, key } = callers[turn % 2] ?? { url: '', key: '' }
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: MESSAGES, max_tokens: 20 }),
    })
  }
  /** On both, because a node learns of the other's settings only after a second. */
  const limitGroup = async (limits: GroupRateLimits) => {
    for (const app of [relay.app, other]) await setLimits({ ...relay, app }, { group: { default: limits } })
  }
  await limitGroup({ rpm: 1 })
  await expectPassed({ calls: 40, perMinute: 2 }, either)
  await limitGroup({ rpm: 1, together: true })
  await expectPassed({ calls: 40, perMinute: 1 }, either)
  for (const { client } of [relay.payer, second]) {
    const { limits } = (await client.get('/api/user/self/limits')).data
    expect(limits).toMatchObject([{ scope: 'group', together: true, rpm: { limit: 1 } }])
  }
})

test('of many concurrent calls no more pass than the limit plus what was refilled meanwhile', async () => {
  const { relay, either } = await twoNodes()
  await setLimits(relay, { key: { rpm: 20 } })
  await expectPassed({ calls: 60, perMinute: 20 }, either)
})

test('calls that are open on one node count on the other, until they end', async () => {
  const { relay, other, chatAt } = await twoNodes()
  await setLimits(relay, { user: { concurrency: 2 } })
  const client = new AbortController()
  const hanging = [relay.app.url, other.url].map((url) => chatAt(url, 'fault/hang', client.signal).catch(() => 'left'))
  await relay.upstream.received(2)
  expect(await atOnce(10, (turn) => chatAt(turn % 2 === 0 ? relay.app.url : other.url))).toEqual({ 429: 10 })
  client.abort()
  await Promise.all(hanging)
  await untilPasses(() => chatAt(other.url))
})

test('a node that is killed leaves no open calls behind after a few seconds', async () => {
  const { redis, relay, chatAt } = await twoNodes()
  await setLimits(relay, { user: { concurrency: 1 } })
  const node = await startNode(relay.app, { REDIS_URL: redis.url })
  await node.logged('Redis answers')
  const hanging = chatAt(node.url, 'fault/hang').catch(() => 'gone')
  await relay.upstream.received(1)
  expect((await chatAt(relay.app.url)).status).toBe(429)
  // The node is alive, so its call counts for longer than one report is valid.
  await Bun.sleep(7000)
  expect((await chatAt(relay.app.url)).status).toBe(429)
  await node.kill()
  await hanging
  await untilPasses(() => chatAt(relay.app.url))
})

test('without Redis each node counts alone, fails no call, and reports it', async () => {
  const { redis, relay, other, chatAt, shown } = await twoNodes()
  await setLimits(relay, { key: { rpm: 2, tpm: 10_000, concurrency: 9 } })
  redis.hang()
  expect(await atOnce(5, () => chatAt(relay.app.url))).toEqual({ 200: 2, 429: 3 })
  await redis.stop()
  expect(await atOnce(5, () => chatAt(other.url))).toEqual({ 200: 2, 429: 3 })
  const { shared, limits } = await shown()
  expect(shared).toBe(false)
  expect(limits[0]).toMatchObject({ rpm: { used: 2 }, tpm: { used: 44 }, concurrency: { used: 0 } })
})

test('a call that was open while Redis was away counts when it is back', async () => {
  const { redis, relay, other, chatAt } = await twoNodes()
  await setLimits(relay, { user: { concurrency: 1 } })
  await redis.stop()
  const client = new AbortController()
  const hanging = chatAt(relay.app.url, 'fault/hang', client.signal).catch(() => 'left')
  await relay.upstream.received(1)
  for (const app of [relay.app, other]) app.lines.length = 0
  await redis.startAgain()
  await Promise.all([relay.app.logged('Redis answers'), other.logged('Redis answers')])
  const deadline = Date.now() + 20_000
  while ((await chatAt(other.url)).status !== 429) if (Date.now() > deadline) throw new Error('It is not counted')
  client.abort()
  await hanging
})

test('a caller without limits leaves nothing in Redis', async () => {
  const { redis, relay, either } = await twoNodes()
  await setLimits(relay, { group: { other: { rpm: 1 } } })
  expect(await atOnce(4, either)).toEqual({ 200: 4 })
  expect(await redis.names('tollgate:calls:*')).toEqual([])
  await setLimits(relay, { key: { rpm: 100, concurrency: 100 } })
  expect(await atOnce(4, either)).toEqual({ 200: 4 })
  // What is left shows how many calls there were; Redis learns a moment later that none is open any more.
  await until(async () => (await redis.names('tollgate:calls:*')).length === 1)
})

/** As many pass as the limit says, and what came back while they were made: Redis goes by a clock that does not stand still. */
async function expectPassed(
  { calls, perMinute }: { calls: number; perMinute: number },
  call: (turn: number) => Promise<Response>,
) {
  const began = performance.now()
  const { 200: passed = 0, 429: refused = 0 } = await atOnce(calls, call)
  const cameBack = Math.floor(((performance.now() - began) / MINUTE_MS) * perMinute)
  expect(passed + refused).toBe(calls)
  expect(passed).toBeGreaterThanOrEqual(perMinute)
  expect(passed).toBeLessThanOrEqual(perMinute + cameBack)
}

/** What a dead node has left runs out within a few seconds; the rest is for a machine that does other things too. */
const untilPasses = (call: () => Promise<Response>) =>
  until(async () => {
    const answer = await call()
    await answer.text()
    return answer.status === 200
  })

async function until(condition: () => Promise<boolean>) {
  const deadline = Date.now() + 30_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not become so')
    await Bun.sleep(20)
  }
}
