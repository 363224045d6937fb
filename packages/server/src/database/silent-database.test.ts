import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'kysely'
import type { TestApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { startNode } from '../testing/node-process.ts'
import { expectCorrectBooks, observedCall, observedLoad, type Seen, untilNoneOpen } from '../testing/observed-load.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { stallingProxy } from '../testing/stalling-proxy.ts'
import { createPool } from './postgres-pool.ts'

// Processes are started, possibly on a busy machine.
setDefaultTimeout(180_000)

const until = async (condition: () => boolean | Promise<boolean>) => {
  const deadline = Date.now() + 90_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The condition was never met')
    await Bun.sleep(50)
  }
}

/** A node whose connection to the database can be made to hang; the test has a separate one. */
async function nodeBehindProxy() {
  const world = await relayFixture({ quota: 1_000_000_000, options: { DefaultModelRatio: 1 } })
  await world.channel('say/20,pace/8/20,pace/40/60')
  const proxy = await stallingProxy(world.app.location, 5432)
  const node = await startNode(world.app, { DATABASE_URL: proxy.url, DRAIN_SECONDS: '2' })
  const ready = async () => (await fetch(`${node.url}/readyz`)).status
  return { ...world, proxy, node, ready }
}

/** The URL of a role that PostgreSQL allows no more connections than these. */
async function limitedTo({ db, location }: TestApp, connections: number) {
  const role = `limited_${Bun.randomUUIDv7().replaceAll('-', '')}`
  await sql.raw(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${connections}`).execute(db)
  const url = new URL(location)
  url.username = role
  return url.href
}

test('a pool whose server is gone reports it to everyone who waits, each time', async () => {
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const url = `postgres://nobody@127.0.0.1:${taken.port}/nothing`
  await taken.stop(true)
  const pool = createPool(url, { connectionsMax: 2, statementMs: 500 })
  for (let round = 0; round < 2; round++) {
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => pool.acquire()))
    expect(asked.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  }
  await pool.close()
})

if (engine === 'postgres') {
  test('a database that stops answering: 503 instead of hanging, not ready, service when it is back, correct ledger', async () => {
    const { app, key, payer, proxy, node, ready, upstream } = await nodeBehindProxy()
    let over = false
    const history: Seen[] = []
    const load = observedLoad({ urls: () => [node.url], key, clients: 8 }, () => over, history)
    await upstream.received(20)
    for (let round = 0; round < 2; round++) {
      proxy.stall()
      await until(async () => (await ready()) === 503)
      const refused = await observedCall(node.url, key, 'say/20', false)
      expect(refused.status).toBe(503)
      history.push(refused)
      proxy.goOn()
      await until(async () => (await ready()) === 200)
      await until(async () => {
        const seen = await observedCall(node.url, key, 'say/20', false)
        history.push(seen)
        return seen.status === 200
      })
    }
    over = true
    await load
    expect(await untilNoneOpen(app, 60_000)).toEqual([])
    await expectCorrectBooks(app, { userId: payer.id, history, journal: upstream.journal })
    expect([...new Set(history.map(({ status }) => status))].sort()).toEqual([200, 503])
    await node.kill()
  })

  test('a node whose database is silent ends on SIGTERM in bounded time', async () => {
    const { key, proxy, node, ready } = await nodeBehindProxy()
    expect((await observedCall(node.url, key, 'say/20', false)).status).toBe(200)
    proxy.stall()
    const calling = observedCall(node.url, key, 'say/20', false)
    await until(async () => (await ready()) === 503)
    const startedAt = performance.now()
    node.child.kill('SIGTERM')
    expect(await node.exited()).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(40_000)
    await calling
  })

  test('a connection that becomes free while the server refuses another one goes to whoever waits', async () => {
    const { app } = await relayFixture()
    const limited = await limitedTo(app, 1)
    const pool = createPool(limited, { connectionsMax: 2, statementMs: 60_000 })
    onTestFinished(() => pool.close())
    const first = await pool.acquire()
    const waiting = pool.acquire()
    first.release()
    const second = await waiting
    expect(await second.unsafe('SELECT 1')).toHaveLength(1)
    second.release()
  })

  test('a pool never exceeds its connections, drops silent ones, and works again afterwards', async () => {
    const { app } = await relayFixture()
    const proxy = await stallingProxy(app.location, 5432)
    const pool = createPool(proxy.url, { connectionsMax: 3, statementMs: 500 })
    const ask = async (text: string) => {
      const connection = await pool.acquire()
      try {
        return (await connection.unsafe(text)).length
      } finally {
        connection.release()
      }
    }
    expect(await Promise.all(Array.from({ length: 30 }, () => ask('SELECT 1')))).toEqual(Array(30).fill(1))
    expect(proxy.connections()).toBe(3)
    // A statement that is merely slow is cancelled by the server, and the connection stays.
    await expect(ask('SELECT pg_sleep(60)')).rejects.toMatchObject({ errno: '57014' })
    expect(proxy.connections()).toBe(3)
    proxy.stall()
    const lost = await Promise.allSettled(Array.from({ length: 9 }, () => ask('SELECT 1')))
    expect(lost.map(({ status }) => status)).toEqual(Array(9).fill('rejected'))
    proxy.goOn()
    await until(() =>
      ask('SELECT 1').then(
        () => true,
        () => false,
      ),
    )
    expect(proxy.connections()).toBeLessThanOrEqual(3)
    await pool.close()
    await until(() => proxy.connections() === 0)
  })
}
