import {
  type Counter,
  DEBT_MAX_MS,
  type Demand,
  MINUTE_MS,
  OPEN_WAIT_MS,
  type Standing,
  shareMs,
  type Taken,
  toleranceMs,
} from './counter.ts'

/** Above this the least recently used keys are dropped. */
const KEYS_MAX = 50_000

/**
 * The counters of one node. A refilling minute is one number per key: the time at which it will be full again, on a monotonic
 * clock.
 */
export const createLocalCounts = () => {
  const wholeAt = new Map<string, number>()
  const openCalls = new Map<string, number>()

  const openOf = (key: string) => openCalls.get(key) ?? 0

  const aheadOf = (key: string, nowMs: number) => Math.max(0, (wholeAt.get(key) ?? 0) - nowMs)

  const keep = (key: string, aheadMs: number, nowMs: number) => {
    wholeAt.delete(key)
    if (aheadMs <= 0) return
    wholeAt.set(key, nowMs + Math.min(aheadMs, DEBT_MAX_MS))
    if (wholeAt.size > KEYS_MAX) wholeAt.delete(wholeAt.keys().next().value ?? '')
  }

  const count = (counters: readonly Counter[], step: 1 | -1) => {
    for (const { key, kind } of counters) {
      if (kind !== 'open') continue
      const calls = openOf(key) + step
      if (calls > 0) openCalls.set(key, calls)
      else openCalls.delete(key)
    }
  }

  const read = (counters: readonly Counter[], nowMs: number): Standing[] =>
    counters.map(({ kind, key }) => (kind === 'open' ? openOf(key) : aheadOf(key, nowMs)))

  return {
    openOf,
    read,
    open: (counters: readonly Counter[]) => count(counters, 1),
    close: (counters: readonly Counter[]) => count(counters, -1),

    /** The call is already counted as open. */
    take(demands: readonly Demand[], nowMs: number): Taken {
      const standings: Standing[] = []
      let refused: Taken['refused']
      for (const demand of demands) {
        const standing = demand.kind === 'open' ? openOf(demand.key) - 1 : aheadOf(demand.key, nowMs)
        const waitMs = waitOf(demand, standing)
        if (waitMs > (refused?.waitMs ?? 0)) refused = { at: standings.length, waitMs }
        standings.push(standing)
      }
      if (refused !== undefined) return { standings, refused }
      demands.forEach((demand, at) => {
        if (demand.kind === 'minute') keep(demand.key, (standings[at] ?? 0) + shareMs(demand), nowMs)
      })
      return { standings, refused: undefined }
    },

    correct(demands: readonly Demand[], nowMs: number) {
      for (const demand of demands) keep(demand.key, aheadOf(demand.key, nowMs) + shareMs(demand), nowMs)
    },
  }
}

function waitOf(demand: Demand, standing: Standing) {
  if (demand.kind === 'open') return standing + 1 > demand.limit ? OPEN_WAIT_MS : 0
  const waitMs = standing + shareMs(demand) - MINUTE_MS
  return waitMs < toleranceMs(demand.limit) ? 0 : waitMs
}
