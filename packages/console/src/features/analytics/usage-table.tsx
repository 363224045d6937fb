import { Button } from '@mantine/core'
import type { AnalyticsRow, Dimension } from '@tollgate/contract'
import { useState } from 'react'
import { isDay } from '../../lib/format/zone.ts'
import { COUNTED, logSearchOf, rowSpan } from '../../lib/usage/usage-links.ts'
import { type Metric, measure } from '../../lib/usage/usage-metrics.ts'
import { keyIn, rowFilter, tableRows, type Usage, useRowName } from '../../lib/usage/usage-rows.ts'
import { useMetric } from '../../lib/usage/use-metric.ts'
import { analyticsText } from '../../text/analytics.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { LogLink } from '../../ui/layout/log-link.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import classes from './analytics-page.module.css'
import type { Analytics } from './use-analytics.ts'
import { useBefore } from './use-before.ts'

const ROWS_MAX = 30
const COLUMNS: readonly Metric[] = ['quota', 'calls', 'failed_share', 'tokens', 'cached_share', 'first_byte_p95']

/** The values of the chart and related ones; names filter by a row, calls link to the log. */
export function UsageTable({ analytics, usage }: { analytics: Analytics; usage: Usage }) {
  const text = useText(analyticsText)
  const words = useText(usageText)
  const rowName = useRowName(usage)
  const [all, setAll] = useState(false)
  const { metric, compares } = analytics
  const beforeOf = useBefore(analytics, usage)
  const rows = tableRows(usage, metric)
  // Of what is not known by this dimension a column would only have dashes.
  const isKnown = (other: Metric) => rows.some((row) => measure(row, other) !== null)
  const others = COLUMNS.filter((other) => other !== metric && isKnown(other))
  return (
    <Panel title={text.table} flush>
      <div className={classes.scroll}>
        <table className={classes.table} data-quiet-links>
          <thead>
            <tr>
              {usage.by.map((dimension) => (
                <th key={dimension} scope="col" data-names>
                  {words.dimension[dimension]}
                </th>
              ))}
              <th scope="col">{words.metric[metric]}</th>
              {compares && <th scope="col">{text.before}</th>}
              {compares && <th scope="col">{text.change}</th>}
              {others.map((column) => (
                <th key={column} scope="col">
                  {words.metric[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, all ? rows.length : ROWS_MAX).map((row) => (
              <tr key={usage.by.map((dimension) => keyIn(row, dimension)).join(' ')}>
                {usage.by.map((dimension) => (
                  <th key={dimension} scope="row" data-names data-mono={dimension === 'model' || undefined}>
                    <Name analytics={analytics} row={row} dimension={dimension} name={rowName(row, dimension)} />
                  </th>
                ))}
                <td>
                  <Value analytics={analytics} usage={usage} row={row} metric={metric} />
                </td>
                {compares && <Compared metric={metric} row={row} before={beforeOf?.(row)} />}
                {others.map((column) => (
                  <td key={column}>
                    <Value analytics={analytics} usage={usage} row={row} metric={column} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(usage.by.includes('group') || analytics.filter.group !== undefined) && (
        <p className={classes.footnote}>{text.groupsOfToday}</p>
      )}
      {isUntimed(usage) && <p className={classes.footnote}>{text.timesNotKnown}</p>}
      {rows.length > ROWS_MAX && !all && (
        <p className={classes.footnote}>
          <Button size="compact-sm" variant="default" onClick={() => setAll(true)}>
            {text.showAll(rows.length)}
          </Button>
        </p>
      )}
    </Panel>
  )
}

/** Whether calls succeeded, but no row has a duration. */
const isUntimed = ({ rows, totals }: Usage) =>
  (totals.outcomes.success ?? 0) > 0 && rows.length > 0 && rows.every((row) => row.first_byte_p95 === null)

interface NameProps {
  analytics: Analytics
  row: AnalyticsRow
  dimension: Dimension
  name: string
}

/** A link that filters by this name: a day by its hours, anything else over time. */
function Name({ analytics: { search }, row, dimension, name }: NameProps) {
  const filter = dimension === 'time' ? dayOf(name) : rowFilter(row, dimension)
  if (filter === undefined) return name
  return (
    <AnchorLink to="/analytics" search={{ ...search, ...filter, by: 'time', step: undefined }} inherit>
      {name}
    </AnchorLink>
  )
}

const dayOf = (name: string) => (isDay(name) ? { range: undefined, from: name, to: name } : undefined)

interface ValueProps {
  analytics: Analytics
  usage: Usage
  row: AnalyticsRow
  metric: Metric
}

function Value({ analytics: { filter }, usage, row, metric }: ValueProps) {
  const words = useMetric(metric)
  const value = measure(row, metric)
  if (value === null) return '—'
  const shown = <span title={words.explain(value)}>{words.show(value)}</span>
  const own = usage.by.reduce<typeof filter | undefined>(
    (all, dimension) => (all === undefined ? undefined : merged(all, rowFilter(row, dimension))),
    filter,
  )
  const counted = COUNTED[metric]
  if (own === undefined || value === 0 || counted === undefined) return shown
  return <LogLink search={logSearchOf(own, rowSpan(row, usage), counted)}>{shown}</LogLink>
}

const merged = <Filter extends object>(all: Filter, more: Filter | undefined) =>
  more === undefined ? undefined : { ...all, ...more }

function Compared({ metric, row, before }: { metric: Metric; row: AnalyticsRow; before: AnalyticsRow | undefined }) {
  const words = useMetric(metric)
  const [now, earlier] = [measure(row, metric), before === undefined ? null : measure(before, metric)]
  return (
    <>
      <td>{earlier === null ? '—' : words.show(earlier)}</td>
      <td>{words.change(now, earlier)?.text ?? '—'}</td>
    </>
  )
}
