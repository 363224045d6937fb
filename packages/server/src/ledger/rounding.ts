import type { Usage } from '@tollgate/providers'

/**
 * Quota per token or search in units of 10⁻¹², for each bucket, and `requests` for the call itself. Integers: no price is ever
 * a fraction in memory.
 */
export type Rates = Record<keyof Usage | 'requests', bigint>

/** A group's factor in units of 10⁻⁶. */
export type GroupFactor = bigint

const MICRO = 1_000_000
const PRECISION = 1_000_000_000_000_000_000n

/** The only place where a ratio, a decimal number that a person entered, becomes an integer. Only 0 is free: less than a millionth counts as one. */
export const micros = (ratio: number) => BigInt(ratio > 0 ? Math.max(1, Math.round(ratio * MICRO)) : 0)

/** A price in dollars per million tokens as quota per token: a dollar is 500,000 quota. */
export const rateOfDollars = (perMillion: number) => BigInt(Math.round(perMillion * 0.5 * 1_000_000_000_000))

/** A price in dollars per thousand, as for searches and requests. */
export const rateOfThousand = (dollars: number) => rateOfDollars(dollars * 1000)

/** The price of a million in a group, for display only: no charge is computed from it. */
export const quotaPerMillion = (rate: bigint, group: GroupFactor) => Number(rate * group) / 1_000_000_000_000

/** The same for a single one: of a call, or of a task. */
export const quotaOfOne = (rate: bigint, group: GroupFactor) =>
  Number((rate * group) / BigInt(MICRO)) / 1_000_000_000_000

/**
 * The price of a call: every bucket at its rate plus the request fee, times the group's factor, rounded up once at the end.
 * Anything above zero costs at least 1; a call without usage costs nothing.
 */
export const charge = (usage: Usage, rates: Rates, group: GroupFactor): number => {
  const total = sumOf(usage, rates) * group
  if (total === 0n) return 0
  const quota = (total + PRECISION - 1n) / PRECISION
  // No balance reaches this far, so the exact amount does not matter, but an inexact one must not pass as exact.
  return quota > MOST ? Number.MAX_SAFE_INTEGER : Number(quota)
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER)

function sumOf(usage: Usage, rates: Rates) {
  let total = 0n
  let used = false
  for (const bucket of BUCKETS) {
    const count = usage[bucket]
    if (count === 0) continue
    used = true
    total += BigInt(count) * rates[bucket]
  }
  return used && rates.requests !== 0n ? total + rates.requests : total
}

/** The number of output tokens at which a call costs this much; infinity when output is free. */
export const outputCosting = (
  quota: number,
  input: Usage,
  rates: Rates,
  group: GroupFactor,
  bucket: 'output' | 'audioOutput' = 'output',
): number => {
  const rate = rates[bucket] * group
  if (rate === 0n) return Number.POSITIVE_INFINITY
  // Charges are rounded up: slightly more than one less is enough.
  const rest = BigInt(quota - 1) * PRECISION - sumOf(input, rates) * group
  return rest < 0n ? 0 : Number(rest / rate + 1n)
}

export const BUCKETS: readonly (keyof Usage)[] = [
  'input',
  'cachedInput',
  'cachedAudio',
  'cachedImage',
  'cacheWrite',
  'cacheWriteLong',
  'audioInput',
  'imageInput',
  'output',
  'reasoning',
  'audioOutput',
  'imageOutput',
  'webSearches',
  'fileSearches',
  'mapsQueries',
  'codeSessions',
  'sources',
  'characters',
  'videoSeconds',
  'tasks',
]

/** Server tools that vendors bill per use. */
export const TOOLS = ['webSearches', 'fileSearches', 'mapsQueries', 'codeSessions', 'sources'] as const

/** Prices that depend on neither the prompt length nor the service tier. */
export const PIECES = [...TOOLS, 'requests'] as const

/** Every rate is zero: a free model. */
export const isFree = (rates: Rates, group: GroupFactor) =>
  group === 0n || (rates.requests === 0n && BUCKETS.every((bucket) => rates[bucket] === 0n))

/** An integer in units of 10⁻ᵈ as decimal text. */
export const decimalText = (value: bigint, digits: number) => {
  const text = value.toString().padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '')
}

/** A rate as a ratio: 1 is one quota per token. */
export const ratioText = (rate: bigint) => decimalText(rate, 12)
