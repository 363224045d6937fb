import { readNumber } from '../../../lib/forms/number-text.ts'

/** A priority or weight as an integer; undefined when empty or not a number. */
export function wholeNumber(text: string, { min = Number.NEGATIVE_INFINITY } = {}) {
  const value = readNumber(text)
  return value === undefined ? undefined : Math.max(min, Math.trunc(value))
}
