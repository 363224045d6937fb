import { expect, setDefaultTimeout, test } from 'bun:test'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { openDatabase } from '../database/client.ts'
import { migrate } from '../database/migrate.ts'
import { type Client, createClient } from '../testing/client.ts'
import { engine } from '../testing/database.ts'
import { type NodeProcess, startNode } from '../testing/node-process.ts'
import { expectCorrectBooks, observedCall, observedLoad, untilNoneOpen } from '../testing/observed-load.ts'
import { postgresCluster, postgresPrograms } from '../testing/outside/postgres-cluster.ts'
import { type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'
import { seeded } from '../testing/seeded.ts'
import { makeToken } from '../testing/token-makers.ts'

// Processes are started and killed, possibly on a busy machine.
setDefaultTimeout(180_000)

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)

/** Any number of nodes share a PostgreSQL; on one SQLite file two processes stand for an old and a new one. */
const NODES = engine === 'postgres' ? 3 : 2

/** Nodes look for the dead every five seconds; the rest is for a busy machine. */
const SWEPT_WITHIN_MS = 5000 + 25_000

const fixture = (location?: string) =>
  relayFixture({
    ...{ quota: 1_000_000_000, options: { DefaultModelRatio: 1 } },
    ...(location === undefined ? {} : { location }),
  })

const startNodes = ({ app }: RelayFixture, count = NODES) =>
  Promise.all(Array.from({ length: count }, () => startNode(app)))

/** The test's root client, connected to another node. */
function rootAt({ root }: RelayFixture, node: NodeProcess): Client {
  return createClient(node.url, { cookie: `session=${root.cookies.get('session') ?? ''}` })
}

/** Waits until the survivors have declared a process dead and ended its holds. */
async function untilSwept({ app }: RelayFixture, pid: number) {
  const deadline = Date.now() + SWEPT_WITHIN_MS
  for (;;) {
    const owner = await app.db
      .selectFrom('owners')
      .select(['epoch', 'closed_at'])
      .where('node', '=', `${hostname()}:${pid}`)
      .executeTakeFirstOrThrow()
    const open = await app.db
      .selectFrom('holds')
      .select('id')
      .where('epoch', '=', owner.epoch)
      .where('state', '=', 0)
      .execute()
    if (owner.closed_at !== null && open.length === 0) return
    if (Date.now() > deadline) throw new Error(`Still open: ${open.length} holds of a dead node`)
    await Bun.sleep(50)
  }
}

test(`${NODES} nodes on one database, killed at random under load: the others sweep the dead, and the ledger is correct (seed ${SEED})`, async () => {
  const world = await fixture()
  const { app, upstream, key, payer } = world
  await world.channel('pace/8/20,say/20')
  const nodes = await startNodes(world)
  const random = seeded(SEED)
  let over = false
  const urls = () => nodes.map(({ url }) => url)
  const load = observedLoad({ urls, key, clients: 24 }, () => over)
  let killedInTheMiddle = 0
  for (let round = 0; round < 4; round++) {
    // Triggered by progress and not by the clock: on any machine it is in the middle of calls.
    await upstream.received(upstream.journal.length + 20 + random(60))
    const victim = random(nodes.length)
    const [node] = nodes.splice(victim, 1)
    if (node === undefined) throw new Error('There is no node to kill')
    await node.kill()
    const { pid } = node.child
    killedInTheMiddle += (await openHoldsOf(world, pid)) > 0 ? 1 : 0
    await untilSwept(world, pid)
    nodes.push(await startNode(app))
  }
  over = true
  const history = await load
  expect(await untilNoneOpen(app, SWEPT_WITHIN_MS)).toEqual([])
  await expectCorrectBooks(app, { userId: payer.id, history, journal: upstream.journal })
  expect(killedInTheMiddle).toBeGreaterThan(0)
  expect(history.filter(({ ended }) => ended).length).toBeGreaterThan(20)
})

if (engine === 'postgres') {
  test(`a node that stands still until the others have swept it goes on afterwards, and every call is charged once (seed ${SEED})`, async () => {
    const world = await fixture()
    const { app, upstream, key, payer, root } = world
    await world.channel('pace/8/20,say/20')
    const month = { period: 'month', zone: 'UTC', quota: 900_000_000 }
    const { data: budget } = await root.post('/api/budget/', { scope: 'user', target: String(payer.id), ...month })
    const nodes = await startNodes(world)
    const random = seeded(SEED)
    let over = false
    const load = observedLoad({ urls: () => nodes.map(({ url }) => url), key, clients: 24 }, () => over)
    for (let round = 0; round < 3; round++) {
      await upstream.received(upstream.journal.length + 20 + random(60))
      const { child } = nodes[random(nodes.length)] ?? {}
      if (child === undefined) throw new Error('There is no node')
      child.kill('SIGSTOP')
      // As after a partition: the database gives up all connections, and only the living open new ones.
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(app.db)
      await untilSwept(world, child.pid)
      child.kill('SIGCONT')
    }
    await upstream.received(upstream.journal.length + 40)
    over = true
    const history = await load
    expect(await untilNoneOpen(app, SWEPT_WITHIN_MS)).toEqual([])
    await expectCorrectBooks(app, { userId: payer.id, history, journal: upstream.journal })
    const { used_quota } = await world.account()
    expect((await root.get(`/api/budget/${budget}`)).data).toMatchObject({ used: used_quota, held: 0 })
    expect(history.filter(({ ended }) => ended).length).toBeGreaterThan(100)
  })
}

async function openHoldsOf({ app }: RelayFixture, pid: number) {
  const rows = await app.db
    .selectFrom('holds')
    .innerJoin('owners', 'owners.epoch', 'holds.epoch')
    .select('holds.id')
    .where('owners.node', '=', `${hostname()}:${pid}`)
    .where('holds.state', '=', 0)
    .execute()
  return rows.length
}

test('a live node is never taken for dead: its streams continue while others start, sweep and stop', async () => {
  const world = await fixture()
  const { app, upstream, key, charges } = world
  await world.channel('pace/50/60')
  const [node] = await startNodes(world, 1)
  const calling = observedCall(node?.url ?? '', key, 'pace/50/60', true)
  await upstream.received(1)
  // Each start sweeps those it takes for dead.
  const other = await startNode(app)
  expect((await fetch(`${other.url}/readyz`)).status).toBe(200)
  other.child.kill('SIGTERM')
  expect(await other.child.exited).toBe(0)
  const seen = await calling
  expect(seen).toMatchObject({ ended: true, status: 200 })
  expect((await charges()).map(({ kind, delta }) => [kind, delta])).toEqual([['consume', 0 - (seen.cost ?? 0)]])
  expect(await app.audit()).toEqual([])
})

test('one balance is spent once, whichever node is called', async () => {
  const price = 22
  const world = await relayFixture({ quota: 30 * price, options: { DefaultModelRatio: 1 } })
  const { app, account } = world
  await world.channel('fixed/12/10')
  const nodes = await startNodes(world)
  const body = JSON.stringify({
    ...{ model: 'fixed/12/10', max_tokens: 10, messages: [{ role: 'user', content: 'Hello there' }] },
  })
  const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' }
  const statuses = await Promise.all(
    Array.from({ length: 240 }, async (_, index) => {
      const url = nodes[index % nodes.length]?.url ?? ''
      const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
      await response.text()
      return response.status
    }),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.filter((status) => status === 429)).toHaveLength(210)
  expect(await account()).toEqual({ quota: 0, held: 0, used_quota: 30 * price, request_count: 30 })
  expect(await app.audit()).toEqual([])
})

test('a change made on one node takes effect on the others within a second: channels, options, keys', async () => {
  const world = await fixture()
  const { payer } = world
  const { id } = await world.channel('say/20')
  const [one, ...rest] = await startNodes(world)
  if (one === undefined) throw new Error('No node')
  const root = rootAt(world, one)
  const token = await makeToken(payer.client, { unlimited_quota: true })
  const key = `sk-${token.key}`
  /** The current answers of the other nodes. */
  const elsewhere = () =>
    Promise.all(
      rest.map(async ({ url }) => {
        const { status, cost } = await observedCall(url, key, 'say/20', false)
        return status === 200 ? `cost ${cost}` : status
      }),
    )
  /** A node's cache is guaranteed to be no older than a second, so this does not depend on luck. */
  const aSecondAfter = async (change: Promise<{ success: boolean; message: string }>) => {
    const { success, message } = await change
    if (!success) throw new Error(message)
    await Bun.sleep(1000)
    return elsewhere()
  }
  const all = <T>(value: T) => rest.map(() => value)
  const costs = (await elsewhere()).map((text) => Number(String(text).replace('cost ', '')))

  expect(await aSecondAfter(root.put('/api/channel/', { id, status: 2 }))).toEqual(all(404))
  expect(await aSecondAfter(root.put('/api/channel/', { id, status: 1 }))).toEqual(costs.map((cost) => `cost ${cost}`))
  const doubled = await aSecondAfter(root.put('/api/option/', { key: 'DefaultModelRatio', value: '2' }))
  expect(doubled).toEqual(costs.map((cost) => `cost ${2 * cost}`))
  const owner = createClient(one.url, { cookie: `session=${payer.client.cookies.get('session') ?? ''}` })
  const disabled = owner.put('/api/token/?status_only=true', { id: token.id, status: 2 })
  expect(await aSecondAfter(disabled)).toEqual(all(401))
  const enabled = owner.put('/api/token/?status_only=true', { id: token.id, status: 1 })
  expect(await aSecondAfter(enabled)).toEqual(costs.map((cost) => `cost ${2 * cost}`))
  const banned = root.post('/api/user/manage', { username: payer.username, action: 'disable' })
  expect(await aSecondAfter(banned)).toEqual(all(403))
})

const programs = engine === 'postgres' ? postgresPrograms() : undefined

if (programs !== undefined) {
  test('a PostgreSQL that goes down under load: 503 while it is away, service when it is back, correct ledger', async () => {
    const cluster = await postgresCluster(programs)
    const database = openDatabase(cluster.url)
    await migrate(database)
    await database.close()
    const world = await fixture(cluster.url)
    const { app, upstream, key, payer } = world
    await world.channel('pace/8/20,say/20')
    const nodes = await startNodes(world, 2)
    let over = false
    const load = observedLoad({ urls: () => nodes.map(({ url }) => url), key, clients: 16 }, () => over)
    for (let round = 0; round < 2; round++) {
      await upstream.received(upstream.journal.length + 40)
      await cluster.stopNow()
      for (const { url } of nodes) {
        const refused = await untilStatus(url, key, 503)
        expect(refused.headers.get('retry-after')).toBe('1')
        expect((await fetch(`${url}/readyz`)).status).toBe(503)
        expect((await fetch(`${url}/healthz`)).status).toBe(200)
      }
      await cluster.start()
      for (const { url } of nodes) await untilStatus(url, key, 200)
    }
    over = true
    const history = await load
    expect(await untilNoneOpen(app, SWEPT_WITHIN_MS)).toEqual([])
    await expectCorrectBooks(app, { userId: payer.id, history, journal: upstream.journal })
    expect(history.filter(({ ended }) => ended).length).toBeGreaterThan(20)
    // Every answer was possible at its time.
    expect([...new Set(history.map(({ status }) => status))].sort()).toEqual([200, 503])
    // Before the cluster stops: its clients disconnect first.
    await Promise.all(nodes.map((node) => node.kill()))
    await app.stop()
  })
}

if (programs !== undefined) {
  const replicated = async () => {
    const cluster = await postgresCluster(programs)
    const database = openDatabase(cluster.url)
    await migrate(database)
    await database.close()
    const world = await fixture(cluster.url)
    await world.channel('pace/8/20,say/20')
    await cluster.addStandby()
    return { cluster, world, nodes: await startNodes(world, 2) }
  }

  test('a PostgreSQL that fails over to a synchronous standby under load: service on the new one, correct ledger', async () => {
    const { cluster, world, nodes } = await replicated()
    const { app, upstream, key, payer } = world
    await sql`ALTER SYSTEM SET synchronous_standby_names = '*'`.execute(app.db)
    await sql`SELECT pg_reload_conf()`.execute(app.db)
    let over = false
    const load = observedLoad({ urls: () => nodes.map(({ url }) => url), key, clients: 16 }, () => over)
    await upstream.received(upstream.journal.length + 80)
    await cluster.failOver()
    // There is no second standby to wait for.
    await sql`ALTER SYSTEM RESET synchronous_standby_names`.execute(app.db)
    await sql`SELECT pg_reload_conf()`.execute(app.db)
    for (const { url } of nodes) await untilStatus(url, key, 200)
    await upstream.received(upstream.journal.length + 40)
    over = true
    const history = await load
    expect(await untilNoneOpen(app, SWEPT_WITHIN_MS)).toEqual([])
    await expectCorrectBooks(app, { userId: payer.id, history, journal: upstream.journal })
    expect(history.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    await Promise.all(nodes.map((node) => node.kill()))
    await app.stop()
  })

  test('a PostgreSQL that fails over to a standby that lags behind: no hold that was settled on the lost server stays open, and the ledger adds up', async () => {
    const { cluster, world, nodes } = await replicated()
    const { app, upstream, key } = world
    let over = false
    const load = observedLoad({ urls: () => nodes.map(({ url }) => url), key, clients: 16 }, () => over)
    await upstream.received(upstream.journal.length + 40)
    await cluster.stopStandby()
    await upstream.received(upstream.journal.length + 80)
    await cluster.failOver()
    for (const { url } of nodes) await untilStatus(url, key, 200)
    await upstream.received(upstream.journal.length + 40)
    over = true
    const history = await load
    expect(await untilNoneOpen(app, SWEPT_WITHIN_MS)).toEqual([])
    expect(await app.audit()).toEqual([])
    expect(await world.account()).toMatchObject({ held: 0 })
    expect(history.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    await Promise.all(nodes.map((node) => node.kill()))
    await app.stop()
  })
}

/** Calls until a node answers this. */
async function untilStatus(url: string, key: string, status: number) {
  const deadline = Date.now() + 60_000
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'say/20', messages: [{ role: 'user', content: 'Hello there' }] })
  let last = 0
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    await response.text()
    if (response.status === status) return response
    last = response.status
    await Bun.sleep(20)
  }
  throw new Error(`${url} still answers ${last}`)
}
