import type { AnalyticsRow, Dimension } from '@tollgate/contract'
import { type Ref, useMemo } from 'react'
import { stepNames } from '../../lib/usage/time-steps.ts'
import { type Metric, measure, metricAdds } from '../../lib/usage/usage-metrics.ts'
import { keyIn, largestFirst, type Usage, useRowName } from '../../lib/usage/usage-rows.ts'
import { useMetric } from '../../lib/usage/use-metric.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { EmptyState } from '../table/empty-state.tsx'
import { Chart } from './chart.tsx'
import { chartData } from './chart-cells.ts'
import { type ChartData, highestOf } from './chart-data.ts'

const POINTS_MAX = 15
const ROW_PX = 30
/** For one of several adjacent bars that do not add up. */
const BAR_PX = 14
const AXIS_PX = 48

interface UsageChartProps {
  caption: string
  usage: Usage
  metric: Metric
  height: number
  ref?: Ref<HTMLDivElement>
}

/** Standing bars or lines over time; lying bars, the largest first, for everything else. */
export function UsageChart({ caption, usage, metric, height, ref }: UsageChartProps) {
  const text = useText(usageText)
  const words = useMetric(metric)
  const data = useUsageData(usage, metric)
  const { axis, mark } = words.scale(highestOf(data))
  const lying = !usage.by.includes('time')
  if (usage.rows.every((row) => measure(row, metric) === null)) return <NotKnown usage={usage} metric={metric} />
  return (
    <Chart
      caption={caption}
      pointsName={text.dimension[lying ? (usage.by[0] ?? 'time') : 'time']}
      data={data}
      axis={axis}
      show={words.show}
      mark={mark}
      totalText={text.total}
      lying={lying}
      height={lying ? data.points.length * rowPx(data) + AXIS_PX : height}
      {...(ref !== undefined && { ref })}
    />
  )
}

const rowPx = ({ adds, series }: ChartData) => (adds ? ROW_PX : Math.max(ROW_PX, series.length * BAR_PX + AXIS_PX / 4))

/** Not everything is added up by everything. */
function NotKnown({ usage, metric }: { usage: Usage; metric: Metric }) {
  const text = useText(usageText)
  const [named, other] = usage.by.filter((dimension) => dimension !== 'time')
  if (named === undefined) return <EmptyState title={text.nothingMeasured} help={text.nothingMeasuredHelp} />
  const by = other === undefined ? text.by[named] : text.byBoth(text.by[named], text.dimension[other])
  return <EmptyState title={text.notKnown(text.metric[metric], by)} help={text.notKnownHelp} />
}

/** The usage as a chart shows it. */
function useUsageData(usage: Usage, metric: Metric) {
  const text = useText(usageText)
  const rowName = useRowName(usage)
  // biome-ignore lint/correctness/useExhaustiveDependencies: how names read changes with the texts and the usage alone.
  return useMemo(() => {
    const adds = metricAdds(metric)
    const overTime = usage.by.includes('time')
    const named = usage.by.filter((dimension) => dimension !== 'time')
    const [bars, parts] = overTime ? [undefined, named[0]] : named
    const cells = usage.rows.map((row) => {
      const value = measure(row, metric)
      const point = overTime ? String(row.time) : keyIn(row, bars)
      return { point, series: keyIn(row, parts), value, weight: adds ? (value ?? 0) : row.calls }
    })
    const nameOf = (dimension: Dimension | undefined) => {
      const rows = new Map<string, AnalyticsRow>(usage.rows.map((row) => [keyIn(row, dimension), row]))
      return (key: string) => {
        const row = rows.get(key)
        return row === undefined || dimension === undefined ? text.metric[metric] : rowName(row, dimension)
      }
    }
    const layout = { cells, adds, nameOf: nameOf(parts), restName: text.rest }
    return chartData({ ...layout, points: overTime ? times() : largest(nameOf(bars)) })

    function times() {
      return usage.times.map((at) => ({ key: String(at), ...stepNames(at, usage) }))
    }

    function largest(nameOfBar: (key: string) => string) {
      const names = largestFirst(usage, metric).slice(0, POINTS_MAX)
      return names.map((key) => ({ key, label: nameOfBar(key), name: nameOfBar(key) }))
    }
  }, [usage, metric, text])
}
