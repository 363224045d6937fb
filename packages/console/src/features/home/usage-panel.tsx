import { SegmentedControl, Skeleton, VisuallyHidden } from '@mantine/core'
import type { DashboardRow } from '@tollgate/contract'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { HomeScope } from '../../lib/home-scope.ts'
import { useMoney } from '../../lib/money.tsx'
import { formatNumber } from '../../lib/numbers.ts'
import { utcOffsetMinutes, zoneName } from '../../lib/time.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { axisFor } from './axis.ts'
import { ModelTotals } from './model-totals.tsx'
import { dayTotal, highestDay, METRICS, type Metric, readersNow, type UsageTable, usageByDay } from './usage-data.ts'
import classes from './usage-panel.module.css'

// The chart library alone is as large as all the rest of the console.
const UsageChart = lazy(() => import('./usage-chart.tsx').then((file) => ({ default: file.UsageChart })))

const CHART_PX = 320
const ROW_PX = 34
const ROWS_USUAL = 4

/** With few models below it the chart is taller, so that the panel keeps its height. */
const chartHeight = (models: number) => CHART_PX + Math.max(0, ROWS_USUAL - models) * ROW_PX

interface UsagePanelProps {
  scope: HomeScope
  rows: readonly DashboardRow[] | undefined
}

export function UsagePanel({ scope, rows }: UsagePanelProps) {
  const text = useText(homeText)
  const money = useMoney()
  const [metric, setMetric] = useState<Metric>('quota')
  const table = useMemo(() => rows && usageByDay(rows, metric, readersNow()), [rows, metric])
  const show = (value: number) => (metric === 'quota' ? money.quota(value, 'fine') : formatNumber(value))
  const axis = table && scaled(highestDay(table), metric === 'quota' && money.inCurrency ? money.quotaPerUnit : 1)
  const mark = (value: number) =>
    metric === 'quota' ? money.quota(value, axis?.decimals === 1 ? 2 : axis?.decimals) : formatNumber(value)
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
                <UsageChart
                  {...{ table, show, mark, nameOf }}
                  ticks={axis?.ticks ?? []}
                  totalOf={(day) => `${day.day} · ${text.total(show(dayTotal(day, table.series)))}`}
                  height={chartHeight(table.series.length)}
                />
              </Suspense>
            </div>
            <DayTable table={table} show={show} nameOf={nameOf} />
            <ModelTotals rows={rows ?? []} table={table} nameOf={nameOf} />
            <p className={classes.counted}>
              {(scope === 'gateway' ? text.chartGateway : text.chartMine)(zoneName(utcOffsetMinutes()))}
            </p>
          </>
        )}
      </Panel>
    </div>
  )
}

/** Counts have no halves; money is marked in round dollars, whatever quota that is. */
function scaled(highest: number, perUnit: number) {
  const { ticks, decimals } = axisFor(highest / perUnit, perUnit === 1 ? 1 : 0)
  return { ticks: ticks.map((tick) => tick * perUnit), decimals }
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
