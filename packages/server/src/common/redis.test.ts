import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisClient } from 'bun'
import { testApp } from '../testing/app.ts'
import { redisServer } from '../testing/outside/redis-server.ts'
import { stallingProxy } from '../testing/stalling-proxy.ts'
import { createLog } from './log.ts'
import { createRedis } from './redis.ts'

setDefaultTimeout(60_000)

/** A client of the product, and what it logs. */
function watchedRedis(url: string) {
  const lines: string[] = []
  const redis = createRedis(
    url,
    createLog((line) => lines.push(line)),
  )
  onTestFinished(() => redis.close())
  const until = async (condition: () => boolean | Promise<boolean>) => {
    const deadline = Date.now() + 30_000
    while (!(await condition())) {
      if (Date.now() > deadline) throw new Error(`The condition was never met: ${lines.join('\n')}`)
      await Bun.sleep(10)
    }
  }
  return { redis, lines, until, answers: () => until(async () => (await redis.ask('PING', [])) !== undefined) }
}

const connectionsOf = async (admin: RedisClient) =>
  Number(/total_connections_received:(\d+)/.exec(await admin.send('INFO', ['stats']))?.[1])

test('a Redis that refuses the password is retried, and the log contains its message', async () => {
  const server = await redisServer()
  const { redis, lines, until, answers } = watchedRedis(server.url)
  await answers()
  await server.set('requirepass', 'secret')
  await server.disconnectAll('secret')
  await until(() => lines.some((line) => line.includes('NOAUTH')))
  expect([redis.answers(), await redis.ask('PING', [])]).toEqual([false, undefined])
  await server.set('requirepass', '', 'secret')
  await answers()
  expect(lines.at(-1)).toContain('Redis answers')
})

test('a wrong password is reported at the start, once, and never repeated in the log', async () => {
  const server = await redisServer()
  await server.set('requirepass', 'secret')
  const { lines, until } = watchedRedis(server.url.replace('//', '//:wrong-password@'))
  const admin = new RedisClient(server.url.replace('//', '//:secret@'))
  onTestFinished(() => admin.close())
  const before = await connectionsOf(admin)
  await until(async () => (await connectionsOf(admin)) > before + 4)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('WRONGPASS')
  expect(lines[0]).not.toContain('wrong-password')
})

test('a Redis with too many clients is retried, and the log says so', async () => {
  const server = await redisServer()
  const { lines, until, answers } = watchedRedis(server.url)
  await answers()
  const holder = new RedisClient(server.url)
  onTestFinished(() => holder.close())
  await holder.send('CONFIG', ['SET', 'maxclients', '1'])
  await holder.send('CLIENT', ['KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
  await until(() => lines.some((line) => line.includes('max number of clients')))
  await holder.send('CONFIG', ['SET', 'maxclients', '100'])
  await answers()
})

test.each([
  ['has become a replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE'], 'READONLY'],
  ['has no memory left', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0'], 'OOM'],
  [
    'lacks replicas',
    ['CONFIG', 'SET', 'min-replicas-to-write', '1'],
    ['CONFIG', 'SET', 'min-replicas-to-write', '0'],
    'NOREPLICAS',
  ],
])(
  'a Redis that %s answers no node, however well it reads: it is reported once and used when it writes again',
  async (_, [word = '', ...words], [undo = '', ...undoing], reason) => {
    const server = await redisServer()
    const { redis, lines, until, answers } = watchedRedis(server.url)
    const admin = new RedisClient(server.url)
    onTestFinished(() => admin.close())
    await answers()
    lines.length = 0
    await admin.send(word, words)
    expect(await redis.ask('SET', ['tollgate:x', '1', 'PX', '1000'])).toBeUndefined()
    const before = await connectionsOf(admin)
    await until(async () => {
      // A read that succeeds would begin the back-off anew.
      await redis.ask('GET', ['tollgate:x'])
      return (await connectionsOf(admin)) > before + 3
    })
    expect([redis.answers(), lines.length, lines[0]]).toEqual([false, 1, expect.stringContaining(reason)])
    await admin.send(undo, undoing)
    await answers()
  },
)

test('a connection that stops answering is replaced, and a command never waits long', async () => {
  const server = await redisServer()
  const proxy = await stallingProxy(server.url, 6379)
  const { redis, lines, until, answers } = watchedRedis(proxy.url)
  await answers()
  proxy.stall()
  expect(await redis.ask('PING', [])).toBeUndefined()
  expect(redis.answers()).toBe(false)
  await until(() => lines.some((line) => line.includes('no answer in')))
  proxy.goOn()
  await answers()
})

test('/readyz stays ready without Redis, and says that it does not answer', async () => {
  const server = await redisServer()
  const app = await testApp({ redisUrl: server.url })
  await app.logged('Redis answers')
  const ready = async () => (await fetch(`${app.url}/readyz`)).text()
  expect(await ready()).toBe('ready')
  await server.stop()
  await app.logged('Redis does not answer')
  expect(await ready()).toBe('ready; Redis does not answer')
})

test('limits use the clock of Redis, so that a node whose clock is ahead neither allows more nor refuses all', async () => {
  const server = await redisServer()
  const limits = { api: 4 }
  const one = await testApp({ redisUrl: server.url, limits })
  const other = await testApp({ redisUrl: server.url, limits, location: one.location })
  await Promise.all([one.logged('Redis answers'), other.logged('Redis answers')])
  other.clock.pass(200)
  const statuses: number[] = []
  for (const { url } of [one, other, other, one, other, one]) statuses.push((await fetch(`${url}/api/status`)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
})

test('a server of a cluster and a Sentinel are not taken for a Redis that counts, and the log says what is needed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-redis-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const cluster = await redisServer(['--dir', folder, '--cluster-enabled', 'yes'])
  const admin = new RedisClient(cluster.url)
  await admin.send('CLUSTER', ['ADDSLOTSRANGE', '0', '16383'])
  admin.close()
  const configuration = join(folder, 'sentinel.conf')
  writeFileSync(configuration, '')
  const sentinel = await redisServer([], configuration)
  for (const [url, reason] of [
    [cluster.url, 'it is part of a cluster; a single server is needed'],
    [sentinel.url, 'it is a Sentinel; the address of the server itself is needed'],
  ] as const) {
    const { redis, lines, until } = watchedRedis(url)
    await until(() => lines.some((line) => line.includes(reason)))
    expect([redis.answers(), redis.trouble()]).toEqual([false, reason])
  }
})
