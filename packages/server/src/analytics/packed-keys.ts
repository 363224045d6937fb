import { numberAt, pushNumber } from './varints.ts'

/** What a key did in an hour. */
export interface KeyHour {
  /** Of the day. */
  hour: number
  /** The number of the key. */
  key: number
  sums: readonly number[]
}

/** For each of them the hour, the key, a bit for each figure other than 0, and these figures, in base64. */
export const packKeyHours = (hours: readonly KeyHour[]): string => {
  const bytes: number[] = []
  for (const { hour, key, sums } of hours) {
    pushNumber(bytes, hour)
    pushNumber(bytes, key)
    pushNumber(
      bytes,
      sums.reduce((bits, sum, column) => (sum === 0 ? bits : bits + 2 ** column), 0),
    )
    // An hour in which only a correction was posted counts below zero: those are the odd ones.
    for (const sum of sums) if (sum !== 0) pushNumber(bytes, sum < 0 ? -2 * sum - 1 : 2 * sum)
  }
  return Buffer.from(bytes).toString('base64')
}

/**
 * Adds them to the sums that they belong to; those without are skipped. Written out: a question about the members of a group reads
 * half a million of them.
 */
export const addKeyHours = (text: string, sumsOf: (hour: number, key: number) => number[] | undefined) => {
  const bytes = Buffer.from(text, 'base64')
  const { length } = bytes
  const state = { at: 0 }
  let at = 0
  /** As `numberAt`, but most numbers are one byte or two. */
  const next = () => {
    const first = bytes[at++] ?? 0
    if (first < 128) return first
    const second = bytes[at++] ?? 0
    if (second < 128) return first - 128 + second * 128
    state.at = at - 2
    const number = numberAt(bytes, state)
    at = state.at
    return number
  }
  while (at < length) {
    const hour = next()
    const sums = sumsOf(hour, next())
    for (let bits = next(); bits !== 0; bits &= bits - 1) {
      const number = next()
      if (sums === undefined) continue
      const column = 31 - Math.clz32(bits & -bits)
      sums[column] = (sums[column] ?? 0) + (number % 2 === 0 ? number / 2 : -(number + 1) / 2)
    }
  }
}
