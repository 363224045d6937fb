import { join } from 'node:path'
import { SQL } from 'bun'
import { startMeasured } from '../../scripts/lib/processes.ts'
import { signIn, startBusyGateway } from './busy-gateway.ts'
import { load } from './load.ts'
import { pairedRounds } from './paired-rounds.ts'

const WATCHERS = 50
/** The number of watches per account. */
const WATCHERS_OF_ONE = 10
const CALLS = Number(process.env.BENCH_CALLS ?? 6000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6)
const CONCURRENCY = 16
/** The JIT compiler has settled after this many calls. */
const WARM_UP = 8000
const UPSTREAM = 'http://127.0.0.1:4721'

/** The CPU time of a call while fifty administrators watch the log, compared with the same gateway without them. */
export const measureWatchers = async (engine: string, database: { url?: string; cpuSeconds(): number }) => {
  const upstream = await startMeasured('bench/lib/upstream.ts', ['4721'], {})
  const gateway = await startBusyGateway({
    ...{ port: 4722, upstream: UPSTREAM, checkout: join(import.meta.dir, '../..') },
    ...(database.url === undefined ? {} : { databaseUrl: database.url }),
  })
  const cookies = await administrators(gateway)
  await load(WARM_UP, CONCURRENCY, gateway.send)
  const without = async () => {
    const before = gateway.cpuSeconds() + database.cpuSeconds()
    await load(CALLS, CONCURRENCY, gateway.send)
    return ((gateway.cpuSeconds() + database.cpuSeconds() - before) / CALLS) * 1e6
  }
  const watched = async () => {
    const leave = await watch(gateway.url, cookies)
    const cost = await without()
    if (leave() === 0) throw new Error('The watchers received nothing')
    return cost
  }
  const { first, second, share, quartiles } = await pairedRounds(ROUNDS, without, watched)
  await gateway.stop()
  await upstream.stop()
  const [low, high] = quartiles.map((more) => (1 + more).toFixed(3))
  console.log(
    `${engine}, ${WATCHERS} watchers of the log: median ${first.toFixed(0)} µs of processor time per call without them, ${second.toFixed(0)} µs with them; ratio of ${ROUNDS} pairs: median ${(1 + share).toFixed(3)}, quartiles ${low} and ${high}`,
  )
  return 1 + share
}

async function administrators({ url, location }: { url: string; location: string }) {
  const sql = new SQL(location, { max: 1 })
  const names = Array.from({ length: WATCHERS / WATCHERS_OF_ONE }, (_, number) => `watcher-${number}`)
  if (location.startsWith('sqlite:')) await sql.unsafe('PRAGMA busy_timeout = 10000')
  for (const name of names) {
    await sql.unsafe(
      `INSERT INTO users (username, password, display_name, role, status, "group", quota, aff_code, created_time)
       SELECT '${name}', password, '', 10, 1, 'default', 0, '${name}', 1 FROM users WHERE username = 'root'`,
    )
  }
  await sql.close()
  return Promise.all(names.map((name) => signIn(url, name)))
}

/** Each reads everything. Returns a function that stops it and reports the bytes received. */
async function watch(url: string, cookies: readonly string[]) {
  const left = new AbortController()
  let received = 0
  const listen = async (cookie: string, triesLeft = 50): Promise<void> => {
    const { body, headers } = await fetch(`${url}/api/log/tail`, { headers: { cookie }, signal: left.signal })
    const isEvents = headers.get('content-type')?.startsWith('text/event-stream')
    // The server may not have noticed yet that those of the previous round are gone.
    if (!isEvents && triesLeft > 0) return Bun.sleep(200).then(() => listen(cookie, triesLeft - 1))
    if (!isEvents || body === null) throw new Error('A watcher was refused')
    void (async () => {
      for await (const bytes of body) received += bytes.length
    })().catch(() => {})
  }
  for (let number = 0; number < WATCHERS; number++) await listen(cookies[number % cookies.length] ?? '')
  return () => {
    left.abort()
    return received
  }
}
