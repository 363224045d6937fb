import { expect, test } from 'bun:test'
import { REST } from '../../lib/usage/usage-rows.ts'
import { type ChartData, highestOf, seriesColor, totalOf } from './chart-data.ts'

const point = (key: string, values: Record<string, number | null>) => ({ key, label: key, name: key, values })
const series = ['a', 'b', REST].map((key) => ({ key, name: key }))

const data = (adds: boolean): ChartData => ({
  series,
  adds,
  points: [point('1', { a: 5, b: null, rest: 1 }), point('2', { a: 4, b: 3, rest: 0 })],
})

test('a bar is as high as its parts together, a line as its highest point', () => {
  expect(data(true).points.map(totalOf)).toEqual([6, 7])
  expect(highestOf(data(true))).toBe(7)
  expect(highestOf(data(false))).toBe(5)
  expect(highestOf({ series: [], points: [], adds: true })).toBe(0)
})

test('the rest has its own colour', () => {
  expect(['a', 'b', REST].map((key) => seriesColor(series, key))).toEqual([
    'var(--series-0)',
    'var(--series-1)',
    'var(--series-7)',
  ])
})
