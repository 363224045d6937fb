import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useReducedMotion } from '@mantine/hooks'
import { seriesColor } from './series-color.ts'
import type { UsageTable } from './usage-data.ts'

interface UsageChartProps {
  table: UsageTable
  show: (value: number) => string
  nameOf: (model: string | undefined) => string
  height: number
}

/** One bar a day, one part a model. */
export function UsageChart({ table, show, nameOf, height }: UsageChartProps) {
  const still = useReducedMotion()
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
      yAxisProps={{ width: 64 }}
      barProps={{ isAnimationActive: !still, animationDuration: 120 }}
      tooltipAnimationDuration={0}
      tooltipProps={{ wrapperStyle: { zIndex: 5 } }}
    />
  )
}
