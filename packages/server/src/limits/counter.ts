/** `open` is a number of calls at the same time; the other refills, so that its whole limit is there after a minute. */
export interface Counter {
  key: string
  limit: number
  kind: 'minute' | 'open'
}

/** A counter, and how much of it is wanted. */
export interface Demand extends Counter {
  amount: number
}

export const MINUTE_MS = 60_000

/** Nobody can say when a call ends; it is worth asking again soon. */
export const OPEN_WAIT_MS = 1000

/** How a counter stood before: milliseconds until it is whole again, or calls that are open. */
export type Standing = number

/** Refused is by the counter that keeps the caller waiting longest, by its place in the list. */
export interface Taken {
  standings: Standing[]
  refused: { at: number; waitMs: number } | undefined
}

/** A conversation of an hour may report more than a minute's worth at once; nobody waits for it longer than this. */
export const DEBT_MAX_MS = 10 * MINUTE_MS

/** Shares are fractions, and their sum may miss the limit by a hair: by less than half of what one takes. */
export const HAIR_MS = 1
export const hairMs = (limit: number) => Math.min(HAIR_MS, MINUTE_MS / 2 / limit)

/** What one more takes of the minute. */
export const shareMs = ({ limit, amount }: Demand) => (amount * MINUTE_MS) / limit
