import { readNumber } from '../../../lib/number-text.ts'

/** What was typed as a priority or a weight, as an integer; undefined for what is empty or no number at all. */
export function wholeNumber(text: string, { min = Number.NEGATIVE_INFINITY } = {}) {
  const value = readNumber(text)
  return value === undefined ? undefined : Math.max(min, Math.trunc(value))
}
