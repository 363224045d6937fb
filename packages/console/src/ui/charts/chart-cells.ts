import { REST } from '../../lib/usage/usage-rows.ts'
import type { ChartData, ChartPoint } from './chart-data.ts'

const SERIES_MAX = 7

/** The value of one series at one point. */
export interface ChartCell {
  point: string
  series: string
  value: number | null
  /** Determines which series are large: amounts themselves, and for shares and times the calls behind them. */
  weight: number
}

interface Layout {
  cells: readonly ChartCell[]
  points: readonly Omit<ChartPoint, 'values'>[]
  nameOf: (series: string) => string
  restName: string
  adds: boolean
}

/** One bar segment or line per series: the largest by name, the rest together; values that cannot be added have no rest. */
export function chartData({ cells, points, nameOf, restName, adds }: Layout): ChartData {
  const weights = new Map<string, number>()
  for (const { series, weight } of cells) weights.set(series, (weights.get(series) ?? 0) + weight)
  const given = weights.delete(REST)
  const names = [...weights].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const named = names.slice(0, names.length > SERIES_MAX ? SERIES_MAX - 1 : SERIES_MAX)
  const keyOf = new Map(named.map((name, index) => [name, `s${index}`]))
  const hasRest = adds && (given || names.length > named.length)
  const keys = [...keyOf.values(), ...(hasRest ? [REST] : [])]
  const empty = Object.fromEntries(keys.map((key) => [key, adds ? 0 : null]))
  const values = new Map(points.map(({ key }): [string, Record<string, number | null>] => [key, { ...empty }]))
  for (const { point, series, value } of cells) {
    const at = values.get(point)
    const key = keyOf.get(series) ?? REST
    if (at === undefined || !keys.includes(key)) continue
    at[key] = adds ? (at[key] ?? 0) + (value ?? 0) : value
  }
  return {
    adds,
    series: keys.map((key, index) => ({ key, name: key === REST ? restName : nameOf(named[index] ?? '') })),
    points: points.map((point) => ({ ...point, values: values.get(point.key) ?? empty })),
  }
}
