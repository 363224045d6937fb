import { join } from 'node:path'
import { SQL } from 'bun'
import { signIn, startBusyGateway } from './busy-gateway.ts'
import { load } from './load.ts'
import { startMeasured } from './processes.ts'
import { median } from './shares.ts'

const WATCHERS = 50
/** The number of watches per account. */
const WATCHERS_OF_ONE = 10
const CALLS = Number(process.env.BENCH_CALLS ?? 6000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6)
const TOGETHER = 16
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
  await load(WARM_UP, TOGETHER, gateway.send)
  const costs = { without: [] as number[], watched: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    // The second measurement finds warmer caches, so they alternate.
    for (const name of round % 2 === 0 ? (['without', 'watched'] as const) : (['watched', 'without'] as const)) {
      const leave = name === 'watched' ? await watch(gateway.url, cookies) : () => 0
      const before = gateway.cpuSeconds() + database.cpuSeconds()
      await load(CALLS, TOGETHER, gateway.send)
      costs[name].push(((gateway.cpuSeconds() + database.cpuSeconds() - before) / CALLS) * 1e6)
      const heard = leave()
      if (name === 'watched' && heard === 0) throw new Error('Nobody heard anything')
    }
  }
  await gateway.stop()
  await upstream.stop()
  // Each round beside its neighbour in time: whatever else the machine does is then much the same for both.
  const ratios = costs.watched.map((watched, round) => watched / (costs.without[round] ?? watched))
  const ratio = median(ratios)
  console.log(
    `${engine}, ${WATCHERS} watchers of the log: median ${median(costs.without).toFixed(0)} µs of processor time a call without them, ${median(costs.watched).toFixed(0)} µs with them; ratio of ${ROUNDS} pairs: median ${ratio.toFixed(3)}, from ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`,
  )
  return ratio
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
  let heard = 0
  const listen = async (cookie: string, triesLeft = 50): Promise<void> => {
    const { body, headers } = await fetch(`${url}/api/log/tail`, { headers: { cookie }, signal: left.signal })
    const isEvents = headers.get('content-type')?.startsWith('text/event-stream')
    // The server may not have noticed yet that those of the previous round are gone.
    if (!isEvents && triesLeft > 0) return Bun.sleep(200).then(() => listen(cookie, triesLeft - 1))
    if (!isEvents || body === null) throw new Error('A watcher was refused')
    void (async () => {
      for await (const bytes of body) heard += bytes.length
    })().catch(() => {})
  }
  for (let number = 0; number < WATCHERS; number++) await listen(cookies[number % cookies.length] ?? '')
  return () => {
    left.abort()
    return heard
  }
}
