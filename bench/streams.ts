import { startMeasured } from '../scripts/lib/processes.ts'
import { startGateway } from './lib/gateway.ts'
import { load } from './lib/load.ts'
import { drain, openStream, readSlowly } from './lib/streams.ts'

/*
 * What a stream costs: CPU time per chunk compared with a bare proxy under the same load at the same time, memory of many open streams
 * and after them, and memory of slow clients.
 */

const RATIO_MAX = 1.3
const OPEN = Number(process.env.BENCH_OPEN ?? 4000)
const OPEN_MAX_MB = 250
const AFTERWARDS_MAX_MB = 20
const SLOW = 128
const SLOW_MAX_KB = 256

const SHORT = 'chunks/1/0'
const LONG = 'chunks/500/10'
const LASTING = 'chunks/60/1000'
const ENDLESS = 'chunks/200000/0'

const VENDOR = 'http://127.0.0.1:4711'

const upstream = await startMeasured('bench/lib/upstream.ts', ['4711'], {})

const verdicts: boolean[] = []
const judge = (text: string, ok: boolean) => {
  verdicts.push(ok)
  console.log(`${text}: ${ok ? 'ok' : 'NOT REACHED'}`)
}

const ratio = await chunkRatio()
judge(`processor time per chunk ${ratio.toFixed(2)} × bare, limit ${RATIO_MAX}`, ratio <= RATIO_MAX)
await onWarmGateway(4714, openStreams)
await onWarmGateway(4715, slowReaders)
await upstream.stop()
process.exit(verdicts.every(Boolean) ? 0 : 1)

type Gateway = Awaited<ReturnType<typeof startGateway>>

/** A separate gateway for each: garbage of earlier streams would count for the next. */
async function onWarmGateway(port: number, measure: (gateway: Gateway) => Promise<void>) {
  const gateway = await startGateway(port, VENDOR, [SHORT, LASTING, ENDLESS])
  await load(1000, 32, async () => drain(await openStream({ ...gateway, model: SHORT })))
  await measure(gateway)
  await gateway.stop()
}

/** Both are measured at once, so that other load affects both. The best round counts. */
async function chunkRatio() {
  const streams = 128
  const together = 64
  const bare = await startMeasured('bench/lib/bare-proxy.ts', ['4712', VENDOR], {})
  const ours = await startGateway(4713, VENDOR, [SHORT, LONG])
  const targets = [
    { process: bare, url: 'http://127.0.0.1:4712', key: 'none' },
    { process: ours, url: ours.url, key: ours.key },
  ]
  const all = (model: string, calls: number) =>
    Promise.all(
      targets.map(async ({ process, url, key }) => {
        const before = process.cpuSeconds()
        await load(calls, together, async () => drain(await openStream({ url, key, model })))
        return ((process.cpuSeconds() - before) / (calls * Number(model.split('/')[1]))) * 1_000_000
      }),
    )
  await all(SHORT, 3000)
  await all(LONG, together)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const [plain = 0, own = 0] = await all(LONG, streams)
    best = Math.min(best, own / plain)
    console.log(`bare ${plain.toFixed(1)} µs per chunk, gateway ${own.toFixed(1)} µs, ${(own / plain).toFixed(2)} ×`)
  }
  await Promise.all([bare.stop(), ours.stop()])
  return best
}

async function openStreams(gateway: Gateway) {
  const before = gateway.residentMb()
  const leave = new AbortController()
  const bodies: Promise<void>[] = []
  await load(OPEN, 64, async () => {
    const body = await openStream({ ...gateway, model: LASTING }, leave.signal)
    bodies.push(drain(body).catch(() => {}))
  })
  let most = 0
  for (let second = 0; second < 10; second++) {
    await Bun.sleep(1000)
    most = Math.max(most, gateway.residentMb())
  }
  leave.abort()
  await Promise.all(bodies)
  judge(`${bodies.length} open streams in ${most.toFixed(0)} MB, limit ${OPEN_MAX_MB}`, most <= OPEN_MAX_MB)
  const after = await settled(gateway, before + AFTERWARDS_MAX_MB)
  const kept = after - before
  judge(`${kept.toFixed(0)} MB more afterwards, limit ${AFTERWARDS_MAX_MB}`, kept <= AFTERWARDS_MAX_MB)
}

async function slowReaders(gateway: Gateway) {
  const before = gateway.residentMb()
  const leaving = Array.from({ length: SLOW }, () => readSlowly({ ...gateway, model: ENDLESS }))
  // Until the system's buffers are full and only the readers' speed counts.
  await Bun.sleep(20_000)
  const samples = []
  for (let second = 0; second < 20; second++) {
    await Bun.sleep(1000)
    samples.push(((gateway.residentMb() - before) * 1024) / SLOW)
  }
  for (const leave of leaving) leave()
  const each = samples.reduce((sum, sample) => sum + sample, 0) / samples.length
  judge(`a client that reads 1 KB/s costs ${each.toFixed(0)} KB, limit ${SLOW_MAX_KB}`, each <= SLOW_MAX_KB)
}

/** The memory once it is below `mb`, or after a minute. */
async function settled(gateway: Gateway, mb: number) {
  for (let second = 0; second < 60 && gateway.residentMb() > mb; second++) await Bun.sleep(1000)
  return gateway.residentMb()
}
