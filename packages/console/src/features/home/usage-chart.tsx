import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useReducedMotion } from '@mantine/hooks'
import { seriesColor } from './series-color.ts'
import type { UsageDay, UsageTable } from './usage-data.ts'

interface UsageChartProps {
  table: UsageTable
  /** An amount, and the mark of one on the axis. */
  show: (value: number) => string
  mark: (value: number) => string
  ticks: number[]
  /** The heading of a day's tooltip. */
  totalOf: (day: UsageDay) => string
  nameOf: (model: string | undefined) => string
  height: number
}

/** One bar a day, one part a model. */
export function UsageChart({ table, show, mark, ticks, totalOf, nameOf, height }: UsageChartProps) {
  const still = useReducedMotion()
  const headingOf = (label: string) => {
    const day = table.days.find((each) => each.day === label)
    return day === undefined ? label : totalOf(day)
  }
  return (
    <BarChart
      h={height}
      data={table.days}
      dataKey="day"
      type="stacked"
      series={table.series.map(({ key, model }) => ({
        name: key,
        label: nameOf(model),
        color: seriesColor(table, key),
      }))}
      valueFormatter={show}
      maxBarWidth={44}
      // Keyboards and screen readers have the tables; the picture itself is hidden from them.
      // The topmost number needs room above its line.
      barChartProps={{ accessibilityLayer: false, margin: { top: 8 } }}
      gridAxis="x"
      tickLine="none"
      xAxisProps={{ tickFormatter: (day: string) => day.slice(5) }}
      yAxisProps={{ width: 72, ticks, domain: [0, ticks.at(-1) ?? 1], tickFormatter: mark }}
      barProps={{ isAnimationActive: !still, animationDuration: 120 }}
      tooltipAnimationDuration={0}
      tooltipProps={{ wrapperStyle: { zIndex: 5 }, labelFormatter: (label) => headingOf(String(label)) }}
    />
  )
}
