import { join } from 'node:path'
import { routingTable } from '@tollgate/contract'
import { createPriceBook } from '../packages/server/src/catalog/prices.ts'
import { buildSnapshot } from '../packages/server/src/catalog/snapshot.ts'
import { findCandidates } from '../packages/server/src/relay/candidates.ts'
import { createHealth } from '../packages/server/src/upstream/health.ts'
import { startMeasured } from '../scripts/lib/processes.ts'
import { startBusyGateway } from './lib/busy-gateway.ts'
import { cacheHits } from './lib/cache-hits.ts'
import { channelPageMs } from './lib/channel-page.ts'
import { load, WARM_UP } from './lib/load.ts'
import { pairedRounds } from './lib/paired-rounds.ts'

/**
 * What limits, budgets and routing cost: the time to choose among 500 channels, and the CPU time of a small call with limits, three
 * budgets and affinity, alternating with a gateway that has none of them. Also the benefit of affinity: how many turns of conversations
 * find their prompt in the vendor's cache, which is separate for each key. And how long the channels page waits for its data with 2,000
 * channels.
 */
const CHOICE_MICROS_MAX = 20
const SHARE_MAX = 0.08
const PAGE_MS_MAX = 100
const CALLS = Number(process.env.BENCH_CALLS ?? 2000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30)
const CONCURRENCY = 32

const slowest = Math.max(...['in_order', 'balanced', 'cheapest'].map(choiceMicros))
const { share, pageMs } = await costOfControl()
const ok = slowest <= CHOICE_MICROS_MAX && share <= SHARE_MAX && pageMs <= PAGE_MS_MAX
console.log(
  `choice ${slowest.toFixed(1)} µs, limit ${CHOICE_MICROS_MAX}; control adds ${percent(share)}, limit ${percent(SHARE_MAX)}; the page of 2,000 channels ${pageMs.toFixed(0)} ms, limit ${PAGE_MS_MAX}: ${ok ? 'ok' : 'TOO SLOW'}`,
)
process.exit(ok ? 0 : 1)

function choiceMicros(policy: string) {
  const channels = Array.from({ length: 500 }, (_, index) => ({
    ...{ id: index + 1, name: `c${index}`, type: 8, status: 1, priority: 0, weight: index % 7, models: ['m'] },
    ...{ groups: ['default'], mapping: new Map<string, string>(), systemPrompt: '', testModel: '', baseUrl: '' },
    ...{ key: '', other: '', config: {} },
  }))
  const snapshot = buildSnapshot(channels)
  const health = createHealth({ now: () => 0 })
  const prices = createPriceBook({ ModelRatio: new Map(), CompletionRatio: new Map(), DefaultModelRatio: 30 })
  const rules = routingTable.parse(JSON.stringify([{ group: '*', model: '*', policy }]))
  const wanted = {
    ...{ groups: ['default'], model: 'm', kind: 'chat', suits: () => true, policies: { rules, prices } },
    affinity: { cachedAt: { channel: 400, key: undefined }, keep() {} },
  }
  const choose = () => findCandidates(snapshot, health, wanted).next()?.lease.release()
  for (let warm = 0; warm < 20_000; warm++) choose()
  const before = process.cpuUsage()
  for (let call = 0; call < 50_000; call++) choose()
  const { user, system } = process.cpuUsage(before)
  const micros = (user + system) / 50_000
  console.log(`a choice among 500 channels, ${policy}: ${micros.toFixed(1)} µs`)
  return micros
}

/** Each gateway takes both parts: what differs between two processes by chance cancels out. */
async function costOfControl() {
  const upstream = await startMeasured('bench/lib/upstream.ts', ['4701'], {})
  const place = { upstream: 'http://127.0.0.1:4701', checkout: join(import.meta.dir, '..') }
  const one = await startBusyGateway({ port: 4710, ...place })
  const other = await startBusyGateway({ port: 4711, ...place })
  const halves = [await halfOfRounds(one, other), await halfOfRounds(other, one)]
  const share = halves.reduce((sum, half) => sum + half, 0) / halves.length
  const { without, withAffinity } = await cacheHits(one)
  console.log(`turns that find their prompt cached: ${percent(without)}, with affinity ${percent(withAffinity)}`)
  const pages = await channelPageMs(one)
  for (const { question, cpuMs, waitedMs } of pages) {
    console.log(
      `of 2,000 channels, ${question}: ${cpuMs.toFixed(0)} ms of processor time, ${waitedMs.toFixed(0)} ms waited`,
    )
  }
  await Promise.all([one.stop(), other.stop()])
  await upstream.stop()
  return { share, pageMs: Math.max(...pages.map(({ cpuMs }) => cpuMs)) }
}

async function halfOfRounds(plain: Gateway, steered: Gateway) {
  const release = await steer(steered)
  for (const gateway of [plain, steered]) await load(WARM_UP, CONCURRENCY, gateway.send)
  const rounds = Math.ceil(ROUNDS / 2)
  const paired = await pairedRounds(
    rounds,
    () => micros(plain),
    () => micros(steered),
  )
  await release()
  const [lower, upper] = paired.quartiles
  console.log(
    `a small call ${paired.first.toFixed(0)} µs, with limits, budgets and affinity ${paired.second.toFixed(0)} µs: ${percent(paired.share)} more, half of ${rounds} rounds from ${percent(lower)} to ${percent(upper)}; in the quietest tenth ${percent(paired.quietShare)}`,
  )
  return paired.share
}

function percent(share: number) {
  return `${(share * 100).toFixed(1)} %`
}

type Gateway = Awaited<ReturnType<typeof startBusyGateway>>

/** Wide enough that nothing is refused. Returns how to end it. */
async function steer({ ask }: Gateway) {
  const setOption = (key: string, value: unknown) => ask('PUT', '/api/option/', { key, value: JSON.stringify(value) })
  await setOption('GroupRateLimits', {
    default: { rpm: 1_000_000_000, tpm: 1_000_000_000, concurrency: 1_000_000 },
  })
  await setOption('RoutingPolicies', [{ group: '*', model: '*', policy: 'in_order', affinity: true }])
  const budgets: unknown[] = []
  for (const period of ['day', 'week', 'month']) {
    const budget = { scope: 'group', target: 'default', period, quota: 1_000_000_000_000 }
    budgets.push(await ask('POST', '/api/budget/', budget))
  }
  return async () => {
    await setOption('GroupRateLimits', {})
    await setOption('RoutingPolicies', [])
    for (const id of budgets) await ask('DELETE', `/api/budget/${id}`)
  }
}

async function micros({ cpuSeconds, send }: Gateway) {
  const before = cpuSeconds()
  await load(CALLS, CONCURRENCY, send)
  return ((cpuSeconds() - before) / CALLS) * 1e6
}
