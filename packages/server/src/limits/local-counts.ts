import {
  type Counter,
  type CounterState,
  DEBT_MAX_MS,
  type LimitClaim,
  MINUTE_MS,
  OPEN_WAIT_MS,
  shareMs,
  type TakeResult,
  toleranceMs,
} from './counter.ts'

/** Above this the least recently used keys are dropped. */
const KEYS_MAX = 50_000
/** Below this nobody needs to know which ones these are. */
const ORDERED_FROM = 25_000

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
    // Inserted again it comes last.
    if (aheadMs <= 0 || wholeAt.size > ORDERED_FROM) wholeAt.delete(key)
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

  const read = (counters: readonly Counter[], nowMs: number): CounterState[] =>
    counters.map(({ kind, key }) => (kind === 'open' ? openOf(key) : aheadOf(key, nowMs)))

  return {
    openOf,
    read,
    open: (counters: readonly Counter[]) => count(counters, 1),
    close: (counters: readonly Counter[]) => count(counters, -1),

    /** The call is already counted as open. */
    take(claims: readonly LimitClaim[], nowMs: number): TakeResult {
      const states: CounterState[] = []
      let refused: TakeResult['refused']
      for (const claim of claims) {
        const state = claim.kind === 'open' ? openOf(claim.key) - 1 : aheadOf(claim.key, nowMs)
        const waitMs = waitOf(claim, state)
        if (waitMs > (refused?.waitMs ?? 0)) refused = { at: states.length, waitMs }
        states.push(state)
      }
      if (refused !== undefined) return { states, refused }
      claims.forEach((claim, at) => {
        if (claim.kind === 'minute') keep(claim.key, (states[at] ?? 0) + shareMs(claim), nowMs)
      })
      return { states, refused: undefined }
    },

    correct(claims: readonly LimitClaim[], nowMs: number) {
      for (const claim of claims) keep(claim.key, aheadOf(claim.key, nowMs) + shareMs(claim), nowMs)
    },
  }
}

function waitOf(claim: LimitClaim, state: CounterState) {
  if (claim.kind === 'open') return state + 1 > claim.limit ? OPEN_WAIT_MS : 0
  const waitMs = state + shareMs(claim) - MINUTE_MS
  return waitMs < toleranceMs(claim.limit) ? 0 : waitMs
}
