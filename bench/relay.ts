import { startGateway } from './lib/gateway.ts'
import { load } from './lib/load.ts'
import { startMeasured } from './lib/processes.ts'

/** Processor time per small call, everything on, against a bare proxy in the same run. */
const LIMIT = 1.6
const CALLS = Number(process.env.BENCH_CALLS ?? 6000)
const TOGETHER = 32
const ROUNDS = 5
/** The just-in-time compiler has settled after so many; a server that runs for days is measured, not its first second. */
const WARM_UP = 10_000

const upstream = await startMeasured('bench/lib/upstream.ts', ['4701'], {})
const bare = await startMeasured('bench/lib/bare-proxy.ts', ['4702', 'http://127.0.0.1:4701'], {})
const gateway = await startGateway(4703, 'http://127.0.0.1:4701')

const sender = (url: string, key: string, body: string) => async () => {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body,
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.text()
}

const bodyOf = (size: number) =>
  JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x'.repeat(Math.max(1, size - 80)) }] })

const measure = async (target: { cpuSeconds(): number }, send: () => Promise<void>, calls: number) => {
  await load(100, TOGETHER, send)
  const before = target.cpuSeconds()
  const run = await load(calls, TOGETHER, send)
  return { ...run, microseconds: ((target.cpuSeconds() - before) / calls) * 1_000_000 }
}

const small = bodyOf(100)
await load(WARM_UP, TOGETHER, sender('http://127.0.0.1:4702', 'none', small))
await load(WARM_UP, TOGETHER, sender(gateway.url, gateway.key, small))

const ratios: number[] = []
for (const size of [100, 1_000, 10_000, 100_000, 400_000]) {
  const body = bodyOf(size)
  const calls = size > 50_000 ? Math.round(CALLS / 10) : CALLS
  for (let round = 0; round < (size === 100 ? ROUNDS : 1); round++) {
    const plain = await measure(bare, sender('http://127.0.0.1:4702', 'none', body), calls)
    const ours = await measure(gateway, sender(gateway.url, gateway.key, body), calls)
    const ratio = ours.microseconds / plain.microseconds
    if (size === 100) ratios.push(ratio)
    console.log(
      `${size} B: bare ${plain.microseconds.toFixed(0)} µs, gateway ${ours.microseconds.toFixed(0)} µs, ratio ${ratio.toFixed(2)}; ` +
        `gateway ${ours.perSecond.toFixed(0)} req/s, p50 ${ours.p50Ms.toFixed(1)} ms, p99 ${ours.p99Ms.toFixed(1)} ms, ${gateway.residentMb().toFixed(0)} MB`,
    )
  }
}
await Promise.all([upstream.stop(), bare.stop(), gateway.stop()])
const median = ratios.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? Number.POSITIVE_INFINITY
console.log(`ratio ${median.toFixed(2)}, limit ${LIMIT}: ${median <= LIMIT ? 'ok' : 'TOO SLOW'}`)
process.exit(median <= LIMIT ? 0 : 1)
