import { SegmentedControl, Skeleton, VisuallyHidden } from '@mantine/core'
import type { DashboardRow } from '@tollgate/contract'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useMoney } from '../../lib/money.tsx'
import { formatNumber } from '../../lib/numbers.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ModelTotals } from './model-totals.tsx'
import { METRICS, type Metric, moneyDigits, readersNow, type UsageTable, usageByDay } from './usage-data.ts'
import classes from './usage-panel.module.css'

// The chart library alone is as large as all the rest of the console.
const UsageChart = lazy(() => import('./usage-chart.tsx').then((file) => ({ default: file.UsageChart })))

const CHART_PX = 320
const ROW_PX = 34
const ROWS_USUAL = 4

/** With few models below it the chart is taller, so that the panel keeps its height. */
const chartHeight = (models: number) => CHART_PX + Math.max(0, ROWS_USUAL - models) * ROW_PX

export function UsagePanel({ rows }: { rows: readonly DashboardRow[] | undefined }) {
  const text = useText(homeText)
  const money = useMoney()
  const [metric, setMetric] = useState<Metric>('quota')
  const table = useMemo(() => rows && usageByDay(rows, metric, readersNow()), [rows, metric])
  const digits = moneyDigits(rows ?? [], money.quotaPerUnit)
  const show = (value: number) => (metric === 'quota' ? money.quota(value, digits) : formatNumber(value))
  const nameOf = (model: string | undefined) => (model === '' ? text.noModel : (model ?? text.otherModels))
  return (
    <div className={classes.panel}>
      <Panel
        title={text.usage}
        action={
          <SegmentedControl
            size="xs"
            aria-label={text.metric}
            value={metric}
            data={METRICS.map((value) => ({ value, label: text[value] }))}
            onChange={(value) => setMetric(METRICS.find((known) => known === value) ?? 'quota')}
          />
        }
      >
        {table === undefined && <Skeleton height={chartHeight(0) + 50} />}
        {table?.series.length === 0 && <EmptyState title={text.usageEmpty} help={text.usageEmptyHelp} />}
        {table !== undefined && table.series.length > 0 && (
          <>
            {/* What the picture shows is said by the table below it. */}
            <div className={classes.chart} style={{ height: chartHeight(table.series.length) }} aria-hidden>
              <Suspense fallback={<Skeleton height="100%" />}>
                <UsageChart table={table} show={show} nameOf={nameOf} height={chartHeight(table.series.length)} />
              </Suspense>
            </div>
            <DayTable table={table} show={show} nameOf={nameOf} />
            <ModelTotals rows={rows ?? []} table={table} digits={digits} nameOf={nameOf} />
          </>
        )}
      </Panel>
    </div>
  )
}

interface DayTableProps {
  table: UsageTable
  show: (value: number) => string
  nameOf: (model: string | undefined) => string
}

/** The chart for those who cannot see it. */
function DayTable({ table, show, nameOf }: DayTableProps) {
  const text = useText(homeText)
  return (
    <VisuallyHidden component="div">
      <table>
        <caption>{text.usage}</caption>
        <thead>
          <tr>
            <th scope="col">{text.day}</th>
            {table.series.map(({ key, model }) => (
              <th key={key} scope="col">
                {nameOf(model)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{day.day}</th>
              {table.series.map(({ key }) => (
                <td key={key}>{show(Number(day[key]))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
