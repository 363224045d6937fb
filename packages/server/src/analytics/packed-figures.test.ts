import { expect, test } from 'bun:test'
import { addPackedHours } from './packed-figures.ts'

test('every number of a packed day is added to the sums of its hour, also one below zero', () => {
  const sums = new Map<number, number[]>()
  const sumsOf = (hour: number) => {
    if (hour === 5) return undefined
    const known = sums.get(hour) ?? [1, 1, 1]
    sums.set(hour, known)
    return known
  }
  addPackedHours('0 1 20 300\n5 7 7 7\n23 0 -45 6', sumsOf)
  expect([...sums]).toEqual([
    [0, [2, 21, 301]],
    [23, [1, -44, 7]],
  ])
})
