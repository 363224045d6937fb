import { formatDecimal } from '../../lib/numbers.ts'
import type { CallDetail } from './call-log.ts'

export interface CostLine {
  bucket: string
  /** The number of tokens, searches, or requests. */
  count: number
  /** Quota per unit; undefined when the entry does not say. */
  rate: number | undefined
  /** Count times rate, before the group's ratio. */
  amount: number | undefined
}

/** Buckets billed per use rather than by token. */
const PIECES = new Set(['webSearches', 'fileSearches', 'mapsQueries', 'codeSessions', 'sources', 'requests'])

/** What is billed by neither is sold by the second, or as a whole. */
const VIDEO = 'videoSeconds'
const TASKS = 'tasks'

/** How a charge came about: each kind of token, and whatever else is billed, at its rate. */
export function costLines({ usage = {}, price }: Pick<CallDetail, 'usage' | 'price'>): CostLine[] {
  return Object.entries(usage)
    .filter(([, count]) => count !== 0)
    .map(([bucket, count]) => {
      const rate = price?.rates?.[bucket]
      return { bucket, count, rate, amount: rate === undefined ? undefined : count * rate }
    })
}

/** The sum before the group's ratio, when every line has a rate. */
export const costSum = (lines: readonly CostLine[]) =>
  lines.length > 0 && lines.every(({ amount }) => amount !== undefined)
    ? lines.reduce((sum, { amount = 0 }) => sum + amount, 0)
    : undefined

const isSoldByToken = (bucket: string) => !PIECES.has(bucket) && bucket !== VIDEO && bucket !== TASKS

export const tokenSum = (lines: readonly CostLine[]) =>
  lines.reduce((sum, { bucket, count }) => (isSoldByToken(bucket) ? sum + count : sum), 0)

/** How much the prompt cache saved; negative when it was only written. */
export function cacheSaving({ usage = {}, price }: Pick<CallDetail, 'usage' | 'price'>): number {
  const { input, ...rates } = price?.rates ?? {}
  if (input === undefined) return 0
  const saved = CACHED.map((bucket) => (usage[bucket] ?? 0) * (input - (rates[bucket] ?? input)))
  return Math.round(saved.reduce((sum, amount) => sum + amount, 0) * (price?.factor ?? 1))
}

const CACHED = ['cachedInput', 'cacheWrite', 'cacheWriteLong']

/** A rate in dollars, as vendors state it: for a million tokens, a second of video, a task, a thousand of anything else. */
export const rateInDollars = ({ bucket, rate = 0 }: CostLine, quotaPerUnit: number) => {
  const { units, per } = SOLD_BY[unitOf(bucket)]
  const dollars = (rate * units) / quotaPerUnit
  return `$${formatDecimal(Number(dollars.toPrecision(4)))}${per}`
}

function unitOf(bucket: string) {
  if (bucket === VIDEO) return 'second'
  if (bucket === TASKS) return 'piece'
  return PIECES.has(bucket) ? 'thousand' : 'million'
}

const SOLD_BY = {
  second: { units: 1, per: ' / s' },
  piece: { units: 1, per: ' / 1' },
  thousand: { units: 1000, per: ' / 1K' },
  million: { units: 1_000_000, per: '' },
}

/** Rates are decimals; their products have floating-point noise. */
export const tidy = (value: number) => formatDecimal(Number(value.toPrecision(12)))
