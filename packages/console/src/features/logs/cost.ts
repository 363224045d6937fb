import type { CallDetail } from './call-log.ts'

export interface CostLine {
  bucket: string
  tokens: number
  /** Quota per token; undefined when the entry does not say. */
  rate: number | undefined
  /** Tokens at their rate, before the group's ratio. */
  amount: number | undefined
}

/** How a charge came about: each kind of token at its rate. */
export function costLines({ usage = {}, price }: Pick<CallDetail, 'usage' | 'price'>): CostLine[] {
  return Object.entries(usage)
    .filter(([, tokens]) => tokens !== 0)
    .map(([bucket, tokens]) => {
      const rate = price?.rates?.[bucket]
      return { bucket, tokens, rate, amount: rate === undefined ? undefined : tokens * rate }
    })
}

/** The sum before the group's ratio, when every line has a rate. */
export const costSum = (lines: readonly CostLine[]) =>
  lines.length > 0 && lines.every(({ amount }) => amount !== undefined)
    ? lines.reduce((sum, { amount = 0 }) => sum + amount, 0)
    : undefined

/** Quota per token → dollars per million tokens. */
export const dollarsPerMillion = (rate: number, quotaPerUnit: number) => {
  const dollars = (rate * 1_000_000) / quotaPerUnit
  return `$${Number(dollars.toPrecision(4))}`
}

/** Rates are decimals; their products carry the noise of binary fractions. */
export const tidy = (value: number) => String(Number(value.toPrecision(12)))
