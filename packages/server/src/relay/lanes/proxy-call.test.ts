import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { setLimits } from '../../testing/limit-makers.ts'
import { type RelayFixture, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const PRICE = 50
const FIRST = 'the first part'

/** `/slow` is never answered, `/stream` says one thing and goes on, and everything else is answered at once. */
async function fixture() {
  let left = 0
  const vendor = fakeVendor(({ path }, request) => {
    if (path === '/slow') return new Promise(() => request.signal.addEventListener('abort', () => left++))
    if (path !== '/stream') return new Response('all of it')
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(FIRST)),
      cancel: () => {
        left++
      },
    })
    return new Response(body)
  })
  const relay = await relayFixture({ options: { ProxyCallPrice: PRICE } })
  const { id } = await relay.channel('', { type: 43, base_url: vendor.url })
  await setLimits(relay, { key: { concurrency: 9 } })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${relay.app.url}/v1/oneapi/proxy/${id}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${relay.key}`, 'accept-language': 'en' },
    })
  const running = async () => (await relay.payer.client.get('/api/user/self/limits')).data.limits[0].concurrency.used
  return { ...relay, vendor, ask, running, left: () => left }
}

const ban = async ({ app, root, payer }: Pick<RelayFixture, 'app' | 'root' | 'payer'>) => {
  await root.post('/api/user/manage', { username: payer.username, action: 'disable' })
  await app.parts.jobs.find(({ name }) => name === 'revoked callers')?.run()
}

async function until(condition: () => boolean) {
  while (!condition()) await Bun.sleep(5)
}

test('a proxy call of a banned user that waits for its answer is refused and costs nothing', async () => {
  const world = await fixture()
  const calling = world.ask('/slow')
  await world.vendor.received('GET', '/slow')
  await ban(world)
  const response = await calling
  expect([response.status, (await response.json()).error.code]).toEqual([403, 'relay_user_disabled'])
  expect(await world.onlyLog()).toMatchObject({ type: 6, quota: 0, outcome: 'access' })
  await world.atRest()
  await until(() => world.left() === 1)
  expect(await world.charges()).toEqual([])
  expect(await world.app.audit()).toEqual([])
})

test('a proxied stream of a banned user is cut off, at both ends, and costs its price', async () => {
  const world = await fixture()
  const reader = (await world.ask('/stream')).body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(FIRST)
  await ban(world)
  await expect(reader?.read() ?? Promise.resolve()).rejects.toThrow()
  await world.atRest()
  await until(() => world.left() === 1)
  expect(await world.charges()).toMatchObject([{ delta: -PRICE }])
  expect(await world.app.audit()).toEqual([])
})

test('a proxied stream counts as a running call until it has ended, however it ends', async () => {
  const world = await fixture()
  const stream = await world.ask('/stream')
  expect(await world.running()).toBe(1)
  await stream.body?.cancel()
  await world.atRest()
  expect(await world.running()).toBe(0)
})

test.each(['GET', 'HEAD'])('a %s through a proxy channel that was answered is over', async (method) => {
  const world = await fixture()
  expect((await world.ask('/any', { method })).status).toBe(200)
  await world.atRest()
  expect(await world.running()).toBe(0)
  expect(await world.charges()).toMatchObject([{ delta: -PRICE }])
})

test('a client that leaves before the answer ends its proxy call, which costs nothing', async () => {
  const world = await fixture()
  const leaving = new AbortController()
  const calling = world.ask('/slow', { signal: leaving.signal }).catch(() => 'left')
  await world.vendor.received('GET', '/slow')
  leaving.abort()
  expect(await calling).toBe('left')
  await world.atRest()
  expect(await world.running()).toBe(0)
  expect(await world.onlyLog()).toMatchObject({
    ...{ outcome: 'canceled', quota: 0 },
    content_en: expect.stringContaining('The client disconnected'),
  })
  expect(world.app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  expect(await world.app.audit()).toEqual([])
})
