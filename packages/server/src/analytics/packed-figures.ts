const SPACE = 32
const MINUS = 45
const ZERO = 48

/**
 * Adds the packed hours of a day to the sums that they belong to; hours without sums are skipped. Written out, and on bytes: a
 * question about a quarter of a year reads half a million numbers.
 */
export const addPackedHours = (text: string, sumsOf: (hour: number) => number[] | undefined) => {
  const bytes = Buffer.from(text, 'latin1')
  const { length } = bytes
  let sums: number[] | undefined
  /** -1 before the figures of a line: its first number is the hour. */
  let column = -1
  let value = 0
  let sign = 1
  for (let at = 0; at <= length; at++) {
    const byte = at < length ? (bytes[at] ?? 0) : 0
    if (byte >= ZERO) {
      value = value * 10 + byte - ZERO
      continue
    }
    // An hour in which only a correction was posted.
    if (byte === MINUS) {
      sign = -1
      continue
    }
    if (column === -1) sums = sumsOf(value)
    else if (sums !== undefined) sums[column] = (sums[column] ?? 0) + sign * value
    column = byte === SPACE ? column + 1 : -1
    value = 0
    sign = 1
  }
}
