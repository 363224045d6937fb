/** `open` counts concurrent calls; the other kind refills completely within a minute. */
export interface Counter {
  key: string
  limit: number
  kind: 'minute' | 'open'
}

/** A counter, and the amount to take. */
export interface LimitClaim extends Counter {
  amount: number
}

export const MINUTE_MS = 60_000

/** Nobody knows when a call ends, so a retry soon makes sense. */
export const OPEN_WAIT_MS = 1000

/** The previous state: milliseconds until it is full again, or open calls. */
export type CounterState = number

/** When refused, the index of the counter with the longest wait. */
export interface TakeResult {
  states: CounterState[]
  refused: { at: number; waitMs: number } | undefined
}

/** A realtime conversation may report more than a minute's worth at once; the wait is bounded by this. */
export const DEBT_MAX_MS = 10 * MINUTE_MS

/** Shares are fractions whose sum may miss the limit slightly: by less than half of one. */
export const TOLERANCE_MS = 1
export const toleranceMs = (limit: number) => Math.min(TOLERANCE_MS, MINUTE_MS / 2 / limit)

/** The share of the minute that this amount takes. */
export const shareMs = ({ limit, amount }: LimitClaim) => (amount * MINUTE_MS) / limit
