import type { AnalyticsRow } from '@tollgate/contract'
import { type Ref, useMemo } from 'react'
import { stepNames } from '../../lib/time-steps.ts'
import { type Metric, measure, metricAdds } from '../../lib/usage-metrics.ts'
import { keyIn, REST, type Usage, useRowName } from '../../lib/usage-rows.ts'
import { useMetric } from '../../lib/use-metric.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { EmptyState } from '../table/empty-state.tsx'
import { Chart } from './chart.tsx'
import { chartData } from './chart-cells.ts'
import { highestOf } from './chart-data.ts'

const POINTS_MAX = 15
const ROW_PX = 30
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
      height={lying ? data.points.length * ROW_PX + AXIS_PX : height}
      {...(ref !== undefined && { ref })}
    />
  )
}

/** Not everything is added up by everything. */
function NotKnown({ usage, metric }: { usage: Usage; metric: Metric }) {
  const text = useText(usageText)
  const named = usage.by.find((dimension) => dimension !== 'time')
  if (named === undefined) return <EmptyState title={text.nothingMeasured} help={text.nothingMeasuredHelp} />
  return <EmptyState title={text.notKnown(text.metric[metric], text.by[named])} help={text.notKnownHelp} />
}

/** The usage as a chart shows it. */
function useUsageData(usage: Usage, metric: Metric) {
  const text = useText(usageText)
  const rowName = useRowName(usage)
  // biome-ignore lint/correctness/useExhaustiveDependencies: how names read changes with the texts and the usage alone.
  return useMemo(() => {
    const adds = metricAdds(metric)
    const overTime = usage.by.includes('time')
    const named = usage.by.find((dimension) => dimension !== 'time')
    const cells = usage.rows.map((row) => {
      const value = measure(row, metric)
      const key = keyIn(row, named)
      const [point, series] = overTime ? [String(row.time), key] : [key, '']
      return { point, series, value, weight: adds ? (value ?? 0) : row.calls }
    })
    const rows = new Map<string, AnalyticsRow>(usage.rows.map((row) => [keyIn(row, named), row]))
    const nameOf = (key: string) => {
      const row = rows.get(key)
      return row === undefined || named === undefined ? text.metric[metric] : rowName(row, named)
    }
    return chartData({ ...{ cells, adds, nameOf, restName: text.rest }, points: overTime ? times() : largest() })

    function times() {
      return usage.times.map((at) => ({ key: String(at), ...stepNames(at, usage) }))
    }

    /** The rest is no competitor, and stands last. */
    function largest() {
      const order = cells.toSorted((a, b) => Number(a.point === REST) - Number(b.point === REST) || b.weight - a.weight)
      return order.slice(0, POINTS_MAX).map(({ point: key }) => ({ key, label: nameOf(key), name: nameOf(key) }))
    }
  }, [usage, metric, text])
}
