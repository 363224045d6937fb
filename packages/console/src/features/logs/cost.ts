import { formatDecimal } from '../../lib/format/numbers.ts'
import type { CallDetail } from './call-log.ts'

export interface CostLine {
  bucket: string
  /** The number of tokens, or of whatever else it is sold by. */
  count: number
  /** Quota per unit; undefined when the entry does not say. */
  rate: number | undefined
  /** Count times rate, before the group's ratio. */
  amount: number | undefined
}

/** Buckets billed per use rather than by token. */
const PIECES = new Set(['webSearches', 'fileSearches', 'mapsQueries', 'codeSessions', 'sources', 'requests'])

/** What is billed by neither is sold by the character, by the second, or as a whole. */
const OTHERS = { characters: 'characters', videoSeconds: 'second', tasks: 'task' } as const

/** How a charge was computed: each kind of token, and anything else that is billed, at its rate. */
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

/** All tokens together; undefined where something else was sold too, which cannot be added to them. */
export const tokenSum = (lines: readonly CostLine[]) =>
  lines.every(({ bucket }) => unitOf(bucket) === 'tokens')
    ? lines.reduce((sum, { count }) => sum + count, 0)
    : undefined

/** How much the prompt cache saved; negative when it was only written. */
export function cacheSaving({ usage = {}, price }: Pick<CallDetail, 'usage' | 'price'>): number {
  const { input, ...rates } = price?.rates ?? {}
  if (input === undefined) return 0
  const saved = CACHED.map((bucket) => (usage[bucket] ?? 0) * (input - (rates[bucket] ?? input)))
  return Math.round(saved.reduce((sum, amount) => sum + amount, 0) * (price?.factor ?? 1))
}

const CACHED = ['cachedInput', 'cacheWrite', 'cacheWriteLong']

/** A rate in dollars, and what it is for: as vendors state it, for a million tokens, a second of video, a thousand searches. */
export const rateInDollars = ({ bucket, rate = 0 }: CostLine, quotaPerUnit: number) => {
  const unit = unitOf(bucket)
  const dollars = (rate * UNITS[unit]) / quotaPerUnit
  return { amount: `$${formatDecimal(Number(dollars.toPrecision(4)))}`, unit }
}

const UNITS = { tokens: 1_000_000, characters: 1_000_000, second: 1, task: 1, uses: 1000 } as const

export type CostUnit = keyof typeof UNITS

function unitOf(bucket: string): CostUnit {
  const others: Readonly<Record<string, CostUnit | undefined>> = OTHERS
  return others[bucket] ?? (PIECES.has(bucket) ? 'uses' : 'tokens')
}

/** Rates are decimals; their products have floating-point noise. */
export const tidy = (value: number) => formatDecimal(Number(value.toPrecision(12)))
