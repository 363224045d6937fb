import { NativeSelect, Skeleton } from '@mantine/core'
import { METRICS } from '../../lib/usage/usage-metrics.ts'
import type { Usage } from '../../lib/usage/usage-rows.ts'
import { dimensionsFor } from '../../lib/usage/usage-search.ts'
import { useMetric } from '../../lib/usage/use-metric.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { UsageChart } from '../../ui/charts/usage-chart.tsx'
import { AnchorLink, ButtonLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import classes from './home-page.module.css'
import type { Home } from './use-home.ts'

const CHART_PX = 320

/** One metric over time, split by what the reader chose. */
export function UsagePanel({ home, usage }: { home: Home; usage: Usage | undefined }) {
  const text = useText(homeText)
  const words = useText(usageText)
  const { metric, split, scope, search, filter, go } = home
  const { name } = useMetric(metric)
  const title = words.shown(name, words.by[split])
  return (
    <Panel
      title={title}
      action={
        <div className={classes.choices}>
          <NativeSelect
            size="xs"
            aria-label={words.whichMetric}
            value={metric}
            data={METRICS.map((value) => ({ value, label: words.metric[value] }))}
            onChange={({ currentTarget: { value } }) => go({ metric: value })}
          />
          <NativeSelect
            size="xs"
            aria-label={words.stackedBy}
            value={split}
            data={dimensionsFor(scope === 'gateway')
              .filter((value) => value !== 'time')
              .map((value) => ({ value, label: words.by[value] }))}
            onChange={({ currentTarget: { value } }) => go({ split: value })}
          />
          <AnchorLink to="/analytics" search={{ ...search, ...filter }}>
            {text.openAnalytics}
          </AnchorLink>
        </div>
      }
    >
      {usage === undefined && <Skeleton height={CHART_PX} />}
      {usage?.totals.calls === 0 && (
        <EmptyState
          title={words.noCalls}
          help={text.noCallsHelp}
          action={
            <ButtonLink to="/" search={{ ...search, range: '30d', from: undefined, to: undefined }} variant="default">
              {text.longer}
            </ButtonLink>
          }
        />
      )}
      {usage !== undefined && usage.totals.calls > 0 && (
        <UsageChart caption={title} usage={usage} metric={metric} height={CHART_PX} />
      )}
    </Panel>
  )
}
