import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type UsageQuery, usageOf } from '../../api/usage.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { formatNumber } from '../../lib/format/numbers.ts'
import { percentText } from '../../lib/format/share.ts'
import { useSeen } from '../../lib/lists/in-view.ts'
import { logSearchOf } from '../../lib/usage/usage-links.ts'
import { keyIn, rowFilter, type Usage, useRowName } from '../../lib/usage/usage-rows.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { LogLink } from '../../ui/layout/log-link.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PanelRow, PanelRows, SkeletonRows } from '../../ui/layout/panel-rows.tsx'
import classes from './home-page.module.css'
import type { Home } from './use-home.ts'

const SHOWN = 5

type Listed = 'model' | 'user' | 'channel' | 'key'

/** Who and what spent the most. */
export function TopLists({ home }: { home: Home }) {
  const dimensions: Listed[] = home.scope === 'gateway' ? ['model', 'user', 'channel', 'key'] : ['model', 'key']
  return (
    <div className={classes.columns}>
      {dimensions.map((dimension) => (
        <TopList key={dimension} home={home} dimension={dimension} />
      ))}
    </div>
  )
}

function TopList({ home, dimension }: { home: Home; dimension: Listed }) {
  const text = useText(homeText)
  const list = useRef<HTMLDivElement>(null)
  const query: UsageQuery = { ...home.query, by: [dimension], metric: 'quota' }
  const { data, isError, error, refetch } = useQuery({ ...usageOf(query), enabled: useSeen(list) })
  const { search, filter } = home
  return (
    <Panel
      title={text.top[dimension]}
      action={
        <AnchorLink to="/analytics" search={{ ...search, ...filter, by: dimension, split: 'none' }}>
          {text.allOfThem}
        </AnchorLink>
      }
      flush
    >
      <div ref={list}>
        {data === undefined && !isError && <SkeletonRows />}
        {data === undefined && isError && <LoadFailed error={error} onRetry={() => void refetch()} />}
        {data !== undefined && <Top usage={data} dimension={dimension} home={home} />}
      </div>
    </Panel>
  )
}

interface TopProps {
  usage: Usage
  dimension: Listed
  home: Home
}

function Top({ usage, dimension, home: { filter, search } }: TopProps) {
  const text = useText(homeText)
  const words = useText(usageText)
  const money = useMoney()
  const rowName = useRowName(usage)
  if (usage.rows.length === 0) return <p className={classes.message}>{words.noCalls}</p>
  return (
    <PanelRows quiet>
      {usage.rows
        .filter(({ other }) => !other)
        .slice(0, SHOWN)
        .map((row) => {
          const name = rowName(row, dimension)
          const quota = row.quota ?? 0
          const found = rowFilter(row, dimension)
          const own = found && { ...filter, ...found }
          return (
            <PanelRow
              key={keyIn(row, dimension)}
              name={
                own === undefined ? (
                  name
                ) : (
                  <AnchorLink to="/analytics" search={{ ...search, ...own, by: 'time' }} inherit>
                    {name}
                  </AnchorLink>
                )
              }
              title={name}
              mono={dimension === 'model'}
              side={<LogLink search={own && logSearchOf(own, usage, 'spend')}>{money.quota(quota, 'fine')}</LogLink>}
              sideTitle={money.explained(quota)}
              under={text.shareOfSpend(shareOf(quota, usage.totals.quota ?? 0))}
              underSide={
                <LogLink search={own && logSearchOf(own, usage, 'calls')}>
                  {text.times(formatNumber(row.calls))}
                </LogLink>
              }
            />
          )
        })}
    </PanelRows>
  )
}

const shareOf = (part: number, whole: number) => percentText(whole === 0 ? 0 : part / whole)
