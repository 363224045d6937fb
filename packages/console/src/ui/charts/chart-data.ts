import type { Axis } from '../../lib/axis.ts'
import { REST } from '../../lib/usage-rows.ts'

/** One colour of a chart. */
export interface ChartSeries {
  /** A name of our own: charts read a model called `gpt-4.1` as a path. */
  key: string
  name: string
}

/** One bar of a chart, or one place of its lines. */
export interface ChartPoint {
  key: string
  /** On the axis, and in full. */
  label: string
  name: string
  /** By key of the series; null where nothing was measured. */
  values: Readonly<Record<string, number | null>>
}

export interface ChartData {
  series: readonly ChartSeries[]
  points: readonly ChartPoint[]
  /** Amounts add up to the height of a bar; shares and times do not, and are lines. */
  adds: boolean
}

/** What is drawn, and how. */
export interface ChartLook {
  data: ChartData
  axis: Axis
  /** An amount, and the mark of one on the axis. */
  show: (value: number) => string
  mark: (value: number) => string
  /** The heading of a tooltip ends with what a bar comes to. */
  totalText: (total: string) => string
  /** Bars that lie have long names; those that stand are points in time. */
  lying?: boolean
  height: number
}

const COLORS = 8

/** The rest has the last. The same in the chart and in its legend; the colours themselves are in `chart.module.css`. */
export const seriesColor = (series: readonly ChartSeries[], key: string) =>
  `var(--series-${key === REST ? COLORS - 1 : series.findIndex((each) => each.key === key) % (COLORS - 1)})`

export const totalOf = ({ values }: ChartPoint) =>
  Object.values(values).reduce<number>((total, value) => total + (value ?? 0), 0)

/** What the axis has to reach. */
export const highestOf = ({ points, adds }: ChartData) =>
  Math.max(0, ...points.map((point) => (adds ? totalOf(point) : highestOfPoint(point))))

const highestOfPoint = ({ values }: ChartPoint) => Math.max(0, ...Object.values(values).map((value) => value ?? 0))
