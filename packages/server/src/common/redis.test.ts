import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
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
  const attempts = async () => Number(/total_connections_received:(\d+)/.exec(await admin.send('INFO', ['stats']))?.[1])
  const before = await attempts()
  await until(async () => (await attempts()) > before + 4)
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
