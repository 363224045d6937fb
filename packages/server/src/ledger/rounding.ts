import type { Usage } from '@tollgate/providers'

/**
 * Quota per token or search in units of 10⁻¹², for each bucket, and `requests` for the call itself. Whole numbers: no
 * price is ever a fraction in memory.
 */
export type Rates = Record<keyof Usage | 'requests', bigint>

/** A group's factor in units of 10⁻⁶. */
export type GroupFactor = bigint

const MICRO = 1_000_000
const PRECISION = 1_000_000_000_000_000_000n

/** The only place where a ratio, a decimal number that a person typed, becomes a whole one. */
export const micros = (ratio: number) => BigInt(Math.round(ratio * MICRO))

/** A price in dollars per million tokens, as quota per token: a dollar is 500,000 quota. */
export const rateOfDollars = (perMillion: number) => BigInt(Math.round(perMillion * 0.5 * 1_000_000_000_000))

/** A price in dollars per thousand, as searches and requests have it. */
export const rateOfThousand = (dollars: number) => rateOfDollars(dollars * 1000)

/** What a million of them cost in a group, to be looked at: a charge is never worked out from it. */
export const quotaPerMillion = (rate: bigint, group: GroupFactor) => Number(rate * group) / 1_000_000_000_000

/**
 * What a call costs: every bucket at its rate, and what the call itself costs once, times the group's factor, rounded up
 * once at the very end. Anything that cost something costs at least 1; a call that used nothing costs nothing.
 */
export const charge = (usage: Usage, rates: Rates, group: GroupFactor): number => {
  const total = sumOf(usage, rates) * group
  if (total === 0n) return 0
  const quota = (total + PRECISION - 1n) / PRECISION
  // No balance reaches this far, so the exact amount does not matter; an inexact one must not pass for exact.
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

/** With how many output tokens a call has come to cost so much; infinity where output is free. */
export const outputCosting = (
  quota: number,
  input: Usage,
  rates: Rates,
  group: GroupFactor,
  bucket: 'output' | 'audioOutput' = 'output',
): number => {
  const rate = rates[bucket] * group
  if (rate === 0n) return Number.POSITIVE_INFINITY
  // Charges are rounded up: a little more than one less is enough.
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
]

/** Tools that vendors run and bill by the piece. */
export const TOOLS = ['webSearches', 'fileSearches', 'mapsQueries', 'codeSessions', 'sources'] as const

/** What has a price that no length of a prompt and no service tier changes. */
export const PIECES = [...TOOLS, 'requests'] as const

/** Every bucket at zero: a free model. */
export const isFree = (rates: Rates, group: GroupFactor) =>
  group === 0n || (rates.requests === 0n && BUCKETS.every((bucket) => rates[bucket] === 0n))

/** A whole number of 10⁻ᵈ as a person reads it. */
export const decimalText = (value: bigint, digits: number) => {
  const text = value.toString().padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '')
}

/** A rate as a ratio: 1 is one quota per token. */
export const ratioText = (rate: bigint) => decimalText(rate, 12)
