import { expect, test } from 'bun:test'
import { type ChartCell, chartData } from './chart-cells.ts'

const points = ['mon', 'tue'].map((key) => ({ key, label: key, name: key }))
const cell = (point: string, series: string, value: number | null, weight = value ?? 0): ChartCell => ({
  ...{ point, series, value, weight },
})
const laidOut = (cells: ChartCell[], adds = true) =>
  chartData({ cells, points, adds, nameOf: (name) => name.toUpperCase(), restName: 'Others' })

test('one part for each series, the largest first, and none for zero [R2.03]', () => {
  const { series, points: laid } = laidOut([cell('mon', 'a', 5), cell('tue', 'a', 1), cell('tue', 'b', 90)])
  expect(series).toEqual([
    { key: 's0', name: 'B' },
    { key: 's1', name: 'A' },
  ])
  expect(laid.map(({ values }) => values)).toEqual([
    { s0: 0, s1: 5 },
    { s0: 90, s1: 1 },
  ])
})

test('smaller series are combined, and no amount is lost', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => cell('mon', `m-${index}`, index + 1))
  expect(laidOut(many(7)).series.map(({ key }) => key)).not.toContain('rest')
  const { series, points: laid } = laidOut(many(9))
  expect(series).toHaveLength(7)
  expect(series.at(-1)).toEqual({ key: 'rest', name: 'Others' })
  expect(laid[0]?.values.rest).toBe(1 + 2 + 3)
})

test('shares and times are not combined: the busiest series have lines, the rest have none, and no calls mean no share', () => {
  const many = Array.from({ length: 9 }, (_, index) => cell('mon', `m-${index}`, 0.5, index))
  const { series, points: laid } = laidOut(many, false)
  expect(series.map(({ name }) => name)).toEqual(['M-8', 'M-7', 'M-6', 'M-5', 'M-4', 'M-3'])
  expect(laid.map(({ values }) => values.s0)).toEqual([0.5, null])
})

test('what the server has combined is part of the rest', () => {
  const { series, points: laid } = laidOut([cell('mon', 'rest', 100), cell('mon', 'a', 1)])
  expect(series.map(({ name }) => name)).toEqual(['A', 'Others'])
  expect(laid[0]?.values).toEqual({ s0: 1, rest: 100 })
})

test('values outside of the points are not shown', () => {
  expect(laidOut([cell('sun', 'a', 5), cell('mon', 'a', 1)]).points.map(({ values }) => values)).toEqual([
    { s0: 1 },
    { s0: 0 },
  ])
})
