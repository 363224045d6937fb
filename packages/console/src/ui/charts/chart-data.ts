import type { Axis } from '../../lib/usage/axis.ts'
import { REST } from '../../lib/usage/usage-rows.ts'

/** One series of a chart. */
export interface ChartSeries {
  /** A generated name: charts read a model called `gpt-4.1` as a path. */
  key: string
  name: string
}

/** One bar of a chart, or one x position of its lines. */
export interface ChartPoint {
  key: string
  /** On the axis, and in full. */
  label: string
  name: string
  /** By series key; null when nothing was measured. */
  values: Readonly<Record<string, number | null>>
}

export interface ChartData {
  series: readonly ChartSeries[]
  points: readonly ChartPoint[]
  /** Amounts are stacked; shares and times cannot be added, and are lines. */
  adds: boolean
}

/** The data of a chart and its formatting. */
export interface ChartLook {
  data: ChartData
  axis: Axis
  /** An amount, and the mark of one on the axis. */
  show: (value: number) => string
  mark: (value: number) => string
  /** The heading of a tooltip ends with the total of its bar. */
  totalText: (total: string) => string
  /** Horizontal bars have long names; vertical ones are times. */
  lying?: boolean
  height: number
}

const COLORS = 8

/** The rest has the last colour. The same in chart and legend; the colours themselves are in `chart.module.css`. */
export const seriesColor = (series: readonly ChartSeries[], key: string) =>
  `var(--series-${key === REST ? COLORS - 1 : series.findIndex((each) => each.key === key) % (COLORS - 1)})`

export const totalOf = ({ values }: ChartPoint) =>
  Object.values(values).reduce<number>((total, value) => total + (value ?? 0), 0)

/** The value the axis has to reach. */
export const highestOf = ({ points, adds }: ChartData) =>
  Math.max(0, ...points.map((point) => (adds ? totalOf(point) : highestOfPoint(point))))

const highestOfPoint = ({ values }: ChartPoint) => Math.max(0, ...Object.values(values).map((value) => value ?? 0))
