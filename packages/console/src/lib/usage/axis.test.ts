import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatNumber } from '../format/numbers.ts'
import { axisFor } from './axis.ts'

test('an axis has round steps and as many decimals as they need', () => {
  expect(axisFor(0.00013)).toEqual({ ticks: [0, 0.00005, 0.0001, 0.00015], decimals: 5 })
  expect(axisFor(0.7)).toEqual({ ticks: [0, 0.2, 0.4, 0.6, 0.8], decimals: 1 })
  expect(axisFor(3)).toEqual({ ticks: [0, 1, 2, 3], decimals: 0 })
  expect(axisFor(78)).toEqual({ ticks: [0, 20, 40, 60, 80], decimals: 0 })
})

test('an empty chart has an axis too, and counts have no halves', () => {
  expect(axisFor(0)).toEqual({ ticks: [0, 1], decimals: 0 })
  expect(axisFor(1, 1)).toEqual({ ticks: [0, 1], decimals: 0 })
  expect(axisFor(2, 1)).toEqual({ ticks: [0, 1, 2], decimals: 0 })
})

test('two ticks of an axis never show the same text, and the largest value is within it', () => {
  const money = fc.double({ min: 1e-9, max: 1e10, noNaN: true })
  fc.assert(
    fc.property(money, (max) => {
      const { ticks, decimals } = axisFor(max)
      expect(new Set(ticks.map((tick) => tick.toFixed(decimals))).size).toBe(ticks.length)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max * (1 - 1e-6))
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e14 }), (max) => {
      const { ticks } = axisFor(max, 1)
      expect(new Set(ticks.map(formatNumber)).size).toBe(ticks.length)
    }),
  )
})
