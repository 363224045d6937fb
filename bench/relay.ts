import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMeasured } from '../scripts/lib/processes.ts'
import { startBenchPostgres } from './lib/bench-postgres.ts'
import { smallCall, startBusyGateway } from './lib/busy-gateway.ts'
import { load, WARM_UP } from './lib/load.ts'
import { median } from './lib/quantiles.ts'

/**
 * What a small call costs, spread over forty accounts: CPU time of the gateway and of the database compared with a bare proxy in the
 * same run, calls per second, and the latency added at 50 calls per second. On SQLite, and on PostgreSQL with one worker and with
 * two, there also with a single account. `BENCH_AGAINST=<checkout>` measures another build alternating with this one,
 * `BENCH_ONLY=PostgreSQL` leaves SQLite out.
 */
const LIMIT = 4
const CALLS = Number(process.env.BENCH_CALLS ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const ONLY = process.env.BENCH_ONLY ?? ''
const CONCURRENCY = 32
const PACED = { calls: 300, everyMs: 20 }

const UPSTREAM = 'http://127.0.0.1:4701'
const BARE = 'http://127.0.0.1:4702'
const upstream = await startMeasured('bench/lib/upstream.ts', ['4701'], {})
const bare = await startMeasured('bench/lib/bare-proxy.ts', ['4702', UPSTREAM], {})
const postgres = await startBenchPostgres()

const against = process.env.BENCH_AGAINST
const builds = [
  { name: 'this build', checkout: join(import.meta.dir, '..') },
  ...(against === undefined ? [] : [{ name: 'the other', checkout: against }]),
]

const sendTo = (url: string) => async () => {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: smallCall('gpt-4o-mini'),
  })
  await answer.text()
}

await load(WARM_UP, CONCURRENCY, sendTo(BARE))
console.log(`a disk sync: ${diskSyncMs().toFixed(2)} ms`)
const onPostgres = () => postgres.emptyDatabase()
const measured: Measured[] = [
  { database: 'SQLite', place: async () => undefined },
  { database: 'PostgreSQL', place: onPostgres },
  { database: 'PostgreSQL, two workers', workers: 2, place: onPostgres },
  { database: 'PostgreSQL, one account', accounts: 1, place: onPostgres },
  { database: 'PostgreSQL, one account, two workers', accounts: 1, workers: 2, place: onPostgres },
]
const ratios: number[] = []
for (const each of measured) if (each.database.startsWith(ONLY)) ratios.push(await measureOn(each))
await Promise.all([upstream.stop(), bare.stop()])
await postgres.stop()
const [ratio = Number.POSITIVE_INFINITY] = ratios
console.log(
  `ratio on ${measured.find(({ database }) => database.startsWith(ONLY))?.database} ${ratio.toFixed(2)}, limit ${LIMIT}: ${ratio <= LIMIT ? 'ok' : 'TOO SLOW'}`,
)
process.exit(ratio <= LIMIT ? 0 : 1)

interface Measured {
  database: string
  workers?: number
  accounts?: number
  place(): Promise<string | undefined>
}

/** Prints the results of each build; returns the ratio of this one to the bare proxy. */
async function measureOn({ database, workers = 1, accounts, place }: Measured) {
  const running = []
  for (const [index, build] of builds.entries()) {
    const databaseUrl = await place()
    const gateway = await startBusyGateway({
      ...{ port: 4710 + index, upstream: UPSTREAM, checkout: build.checkout, workers, accounts },
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
    })
    await load(WARM_UP, CONCURRENCY, gateway.send)
    running.push({ ...build, gateway, microseconds: [] as number[], proxy: [] as number[] })
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, gateway, microseconds, proxy } of running) {
      const plain = await costOf(bare, sendTo(BARE))
      const before = postgres.cpuSeconds()
      const ours = await costOf(gateway, gateway.send)
      const inDatabase = ((postgres.cpuSeconds() - before) / CALLS) * 1e6
      const whole = ours.microseconds + (database === 'SQLite' ? 0 : inDatabase)
      microseconds.push(whole)
      proxy.push(plain.microseconds)
      console.log(
        `${database}, ${name}: ${ours.perSecond.toFixed(0)} calls/s, gateway ${ours.microseconds.toFixed(0)} µs` +
          `${database === 'SQLite' ? '' : `, database ${inDatabase.toFixed(0)} µs`}, ` +
          `bare proxy ${plain.microseconds.toFixed(0)} µs, ratio ${(whole / plain.microseconds).toFixed(2)}`,
      )
    }
  }
  for (const { name, gateway } of running) {
    const direct = await paced(sendTo(UPSTREAM))
    const proxied = await paced(sendTo(BARE))
    const through = await paced(gateway.send)
    console.log(
      `${database}, ${name}: at ${1000 / PACED.everyMs} calls/s adds p50 ${(through.p50 - direct.p50).toFixed(2)} ms, ` +
        `p99 ${(through.p99 - direct.p99).toFixed(2)} ms, a bare proxy p50 ${(proxied.p50 - direct.p50).toFixed(2)} ms; ${gateway.residentMb().toFixed(0)} MB`,
    )
    await gateway.stop()
  }
  const [mine] = running
  return mine === undefined ? Number.POSITIVE_INFINITY : median(mine.microseconds) / median(mine.proxy)
}

async function costOf(target: { cpuSeconds(): number }, send: () => Promise<void>) {
  const before = target.cpuSeconds()
  const run = await load(CALLS, CONCURRENCY, send)
  return { ...run, microseconds: ((target.cpuSeconds() - before) / CALLS) * 1e6 }
}

/** Sends calls at fixed times, whether or not the previous one has ended. */
async function paced(send: () => Promise<void>) {
  const times: number[] = []
  const calls: Promise<void>[] = []
  const start = performance.now()
  for (let number = 0; number < PACED.calls; number++) {
    await Bun.sleep(Math.max(0, start + number * PACED.everyMs - performance.now()))
    const at = performance.now()
    calls.push(send().then(() => void times.push(performance.now() - at)))
  }
  await Promise.all(calls)
  times.sort((one, other) => one - other)
  return { p50: times[Math.floor(times.length / 2)] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 }
}

function diskSyncMs() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const file = openSync(join(folder, 'sync'), 'w')
  const times = Array.from({ length: 50 }, () => {
    writeSync(file, Buffer.alloc(4096))
    const at = performance.now()
    fdatasyncSync(file)
    return performance.now() - at
  })
  closeSync(file)
  rmSync(folder, { recursive: true, force: true })
  return median(times)
}
