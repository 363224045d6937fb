import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import { usageOf } from '../../api/usage.ts'
import { nowSeconds } from '../../lib/format/time.ts'
import { readersZone, readersZoneName } from '../../lib/format/zone.ts'
import { readRange } from '../../lib/usage/time-range.ts'
import { COUNTED, logSearchOf } from '../../lib/usage/usage-links.ts'
import type { Metric } from '../../lib/usage/usage-metrics.ts'
import type { Usage } from '../../lib/usage/usage-rows.ts'
import { ignoredInView } from '../../lib/usage/usage-search.ts'
import { analyticsText } from '../../text/analytics.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { UsageChart } from '../../ui/charts/usage-chart.tsx'
import { AddressNote } from '../../ui/feedback/address-note.tsx'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { RangeNote } from '../../ui/inputs/range-note.tsx'
import { RangePicker } from '../../ui/inputs/range-picker.tsx'
import { FigureTiles } from '../../ui/layout/figure.tsx'
import { IconChartBar } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { LogLink } from '../../ui/layout/log-link.tsx'
import { MetricFigure } from '../../ui/layout/metric-figure.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import classes from './analytics-page.module.css'
import { DownloadMenu } from './download-menu.tsx'
import { Filters } from './filters.tsx'
import { UsageTable } from './usage-table.tsx'
import { type Analytics, useAnalytics } from './use-analytics.ts'
import { ViewBar } from './view-bar.tsx'

const CHART_PX = 340
const FIGURES: readonly Metric[] = ['quota', 'calls', 'failed_share', 'tokens', 'first_byte_p95']

/** One metric of calls by one or two dimensions, as a chart and as a table. The URL contains the whole query. */
export function AnalyticsPage() {
  const analytics = useAnalytics()
  const { search, go, query } = analytics
  const text = useText(analyticsText)
  const words = useText(usageText)
  const common = useText(commonText)
  const ignored = ignoredInView(search, analytics.everyone)
  const chart = useRef<HTMLDivElement>(null)
  const { data: usage, isError, error, refetch } = useQuery(usageOf(query))
  const { days, today } = readRange(search, { zone: readersZone(), now: nowSeconds() })
  const counted = analytics.everyone ? text.countedGateway : text.countedMine
  return (
    <Page
      summary={counted(text.days(days.first, days.last), readersZoneName(days))}
      action={
        usage &&
        usage.totals.calls > 0 && <DownloadMenu {...{ analytics, usage }} title={titleOf(usage)} chart={chart} />
      }
      filters={
        <div className={classes.bars}>
          <RangePicker search={search} today={today} onChoose={go} />
          <ViewBar analytics={analytics} days={days} />
          <Filters analytics={analytics} />
        </div>
      }
    >
      <RangeNote search={search} />
      {ignored.length > 0 && <AddressNote>{common.addressIgnored(ignored.join(', '))}</AddressNote>}
      {usage === undefined && isError && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {usage === undefined && !isError && <Skeleton height={CHART_PX} />}
      {usage !== undefined && (
        <>
          <Totals analytics={analytics} usage={usage} />
          {usage.totals.calls === 0 ? (
            <Nothing analytics={analytics} />
          ) : (
            <Shown analytics={analytics} usage={usage} title={titleOf(usage)} chart={chart} />
          )}
        </>
      )}
    </Page>
  )

  function titleOf({ by }: Usage) {
    const named = by.filter((dimension) => dimension !== 'time')
    const [first = 'time', second] = named
    const breakdown = second === undefined ? words.by[first] : words.byBoth(words.by[first], words.dimension[second])
    return words.shown(words.metric[analytics.metric], breakdown)
  }
}

function Totals({ analytics: { metric, filter }, usage }: { analytics: Analytics; usage: Usage }) {
  const text = useText(analyticsText)
  const linkOf = (each: Metric) => {
    const counted = COUNTED[each]
    const search = counted && logSearchOf(filter, usage, counted)
    return search && { link: (value: string) => <LogLink search={search}>{value}</LogLink> }
  }
  const metrics = [metric, ...FIGURES.filter((other) => other !== metric)].slice(0, 4)
  return (
    <FigureTiles columns={4} aria-label={text.totals}>
      {metrics.map((each) => (
        <MetricFigure key={each} metric={each} now={usage.totals} before={usage.previous} {...linkOf(each)} />
      ))}
    </FigureTiles>
  )
}

interface ShownProps {
  analytics: Analytics
  usage: Usage
  title: string
  chart: RefObject<HTMLDivElement | null>
}

function Shown({ analytics, usage, title, chart }: ShownProps) {
  const text = useText(analyticsText)
  return (
    <>
      <Panel title={title}>
        <UsageChart ref={chart} caption={title} usage={usage} metric={analytics.metric} height={CHART_PX} />
        {usage.filling && <p className={classes.note}>{text.filling}</p>}
      </Panel>
      <UsageTable analytics={analytics} usage={usage} />
    </>
  )
}

/** Suggests what to change when there is no data. */
function Nothing({ analytics: { filter, search } }: { analytics: Analytics }) {
  const text = useText(analyticsText)
  const words = useText(usageText)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const { range, from, to, by, split, metric } = search
  return (
    <EmptyState
      icon={<IconChartBar size={32} stroke={1.5} />}
      title={words.noCalls}
      help={isFiltered ? text.nothingFiltered : range === '30d' ? text.nothingHelp : text.otherRange}
      action={
        isFiltered ? (
          <ButtonLink to="/analytics" search={{ range, from, to, by, split, metric }} variant="default">
            {text.clearFilters}
          </ButtonLink>
        ) : range === '30d' ? (
          <ButtonLink to="/connect" variant="default">
            {text.connect}
          </ButtonLink>
        ) : (
          <ButtonLink to="/analytics" search={{ range: '30d', by, split, metric }} variant="default">
            {text.longer}
          </ButtonLink>
        )
      }
    />
  )
}
