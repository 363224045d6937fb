import { expect, setDefaultTimeout, test } from 'bun:test'
import { startNode } from '../testing/node-process.ts'
import { observedCall } from '../testing/observed-load.ts'
import { type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'
import { createLifecycle } from './lifecycle.ts'

// Processes are started, possibly on a busy machine.
setDefaultTimeout(120_000)

const fixture = (options = {}) => relayFixture({ quota: 1_000_000_000, options: { DefaultModelRatio: 1, ...options } })

/** On a separate connection, like a balancer's check. */
const ready = async (url: string) => {
  const response = await fetch(`${url}/readyz`, { headers: { connection: 'close' } })
  return `${response.status} ${await response.text()}`
}

async function expectSettled({ app, charges, openHolds }: RelayFixture, cost: number | undefined) {
  expect((await charges()).map(({ kind, delta }) => [kind, delta])).toEqual([['consume', 0 - (cost ?? 0)]])
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
}

test('on SIGTERM readiness ends first, running streams finish and are charged, and the exit code is 0', async () => {
  const world = await fixture()
  await world.channel('pace/40/60')
  const node = await startNode(world.app, { STOP_NOTICE_SECONDS: '5' })
  const calling = observedCall(node.url, world.key, 'pace/40/60', true)
  await world.upstream.received(1)
  expect(await ready(node.url)).toBe('200 ready')
  node.child.kill('SIGTERM')
  expect(await untilNot(node.url, '200 ready')).toBe('503 stopping')
  // The port stays open however often readiness is queried, and keep-alive connections are asked to close.
  expect(await ready(node.url)).toBe('503 stopping')
  const late = await fetch(`${node.url}/api/status`)
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
  expect((await observedCall(node.url, world.key, 'pace/40/60', false)).status).toBe(200)
  const seen = await calling
  expect(seen).toMatchObject({ status: 200, ended: true })
  expect(await node.exited()).toBe(0)
  expect(await world.charges()).toHaveLength(2)
  expect(await world.openHolds()).toEqual([])
  expect(await world.app.audit()).toEqual([])
})

test('Ctrl-C skips the notice period, because a person is waiting', async () => {
  const world = await fixture()
  const node = await startNode(world.app, { STOP_NOTICE_SECONDS: '600' })
  expect(await ready(node.url)).toBe('200 ready')
  node.child.kill('SIGINT')
  expect(await node.exited()).toBe(0)
})

test('two signals within a second are one; a later one ends the process at once', async () => {
  const world = await fixture()
  await world.channel('pace/40/60,pace/100/2000')
  const node = await startNode(world.app)
  const calling = observedCall(node.url, world.key, 'pace/40/60', true)
  await world.upstream.received(1)
  node.child.kill('SIGTERM')
  await node.logged('SIGTERM: stopping')
  node.child.kill('SIGINT')
  const seen = await calling
  expect(seen).toMatchObject({ status: 200, ended: true })
  expect(await node.exited()).toBe(0)
  await expectSettled(world, seen.cost)

  const other = await startNode(world.app)
  const cut = observedCall(other.url, world.key, 'pace/100/2000', true)
  await world.upstream.received(2)
  other.child.kill('SIGTERM')
  await other.logged('SIGTERM: stopping')
  await Bun.sleep(1100)
  other.child.kill('SIGTERM')
  expect(await other.exited()).toBe(1)
  expect(await cut).toMatchObject({ ended: false })
})

test('a stream that does not finish in time is ended with an error and charged for what was delivered', async () => {
  const world = await fixture()
  await world.channel('pace/500/1000')
  const node = await startNode(world.app, { DRAIN_SECONDS: '1' })
  const response = await fetch(`${node.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.key}`,
      'content-type': 'application/json',
      'x-tollgate-cost': 'stream',
    },
    body: JSON.stringify({ model: 'pace/500/1000', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await world.upstream.received(1)
  node.child.kill('SIGTERM')
  const text = await response.text()
  expect(text).toContain('"code":"relay_restarting"')
  const { cost } = JSON.parse(/: tollgate (\{.*\})/.exec(text)?.[1] ?? '{}')
  expect(cost).toBeGreaterThan(0)
  expect(await node.exited()).toBe(0)
  await expectSettled(world, cost)
})

test('a stop does not wait for the usage of a call whose client has disconnected, and charges what was delivered', async () => {
  // Both the vendor and its timeout outlast the longest stop.
  const world = await fixture({ ReadOnSeconds: 60 })
  await world.channel('pace/50/2000')
  const node = await startNode(world.app)
  const client = new AbortController()
  const response = await fetch(`${node.url}/v1/chat/completions`, {
    method: 'POST',
    signal: client.signal,
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'pace/50/2000', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  const reader = response.body?.getReader()
  for (let pieces = 0; pieces < 3; pieces++) await reader?.read()
  client.abort()
  const startedAt = Date.now()
  node.child.kill('SIGTERM')
  expect(await node.exited()).toBe(0)
  expect(Date.now() - startedAt).toBeLessThan(50_000)
  const [{ delta } = { delta: 0 }] = await world.charges()
  expect(delta).toBeLessThan(0)
  await expectSettled(world, 0 - delta)
})

test('a stop skips the notice period if nothing queries readiness and there is no other node', async () => {
  let now = 1_000_000
  const lifecycle = createLifecycle({ noticeMs: 600_000, hasPeers: false, clock: { now: () => now } })
  expect(lifecycle.takesWork()).toBe(true)
  now += 30_000
  await lifecycle.drain()
  expect(lifecycle.takesWork()).toBe(false)
})

/** Polls until the answer changes. */
async function untilNot(url: string, known: string) {
  const deadline = Date.now() + 60_000
  for (;;) {
    const answer = await ready(url)
    if (answer !== known || Date.now() > deadline) return answer
  }
}
