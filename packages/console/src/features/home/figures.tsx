import { useQuery } from '@tanstack/react-query'
import type { OwnUser } from '@tollgate/contract'
import { useMoney } from '../../lib/format/money.tsx'
import { formatExact, formatNumber } from '../../lib/format/numbers.ts'
import { percentText } from '../../lib/format/share.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import { type Counted, logSearchOf } from '../../lib/usage/usage-links.ts'
import { type Metric, measure } from '../../lib/usage/usage-metrics.ts'
import type { Usage } from '../../lib/usage/usage-rows.ts'
import { useMetric } from '../../lib/usage/use-metric.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { Figure, FigureTiles } from '../../ui/layout/figure.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { LogLink } from '../../ui/layout/log-link.tsx'
import { MetricFigure } from '../../ui/layout/metric-figure.tsx'
import { ownAttention } from './queries.ts'
import { todaysPart } from './today.ts'
import type { Home } from './use-home.ts'

interface FiguresProps {
  home: Home
  user: OwnUser | undefined
  usage: Usage | undefined
}

/** The figures of the range, compared with the preceding period. Each links to the calls that it counts. */
export function Figures({ home, user, usage }: FiguresProps) {
  const text = useText(homeText)
  const words = useText(usageText)
  const money = useMoney()
  const { quota, calls, tokens, first_byte_p50 } = {
    quota: useMetric('quota'),
    calls: useMetric('calls'),
    tokens: useMetric('tokens'),
    first_byte_p50: useMetric('first_byte_p50'),
  }
  const { scope, filter, search } = home
  const compared = { now: usage?.totals, before: usage?.previous }
  const gateway = scope === 'gateway'
  const spends = !gateway && (usage?.totals.quota ?? 0) > 0
  const { data: attention } = useQuery({ ...ownAttention, enabled: spends })
  const lastsUntil = (spends && attention?.balance.lasts_until) || null
  return (
    <FigureTiles columns={3} aria-label={gateway ? text.figuresGateway : text.figures}>
      {!gateway && (
        <Figure
          label={text.balance}
          value={user && money.quota(user.quota, user.quota < 0 ? 'fine' : 'cents')}
          title={user && money.explained(user.quota)}
          note={balanceNote()}
          link={(value) => (
            <AnchorLink to="/topup" inherit>
              {value}
            </AnchorLink>
          )}
        />
      )}
      <MetricFigure metric="quota" {...compared} note={today('quota', quota.show)} link={toLog('spend')} />
      <MetricFigure metric="calls" {...compared} note={today('calls', calls.show)} link={toLog('calls')} />
      <MetricFigure
        metric="failed_share"
        {...compared}
        note={usage ? text.failedOf(formatNumber(usage.totals.failed), formatNumber(usage.totals.calls)) : ''}
        link={toLog('failed')}
      />
      <MetricFigure
        metric="first_byte_p95"
        {...compared}
        note={usage ? note(measure(usage.totals, 'first_byte_p50'), first_byte_p50.show, text.median) : ''}
        link={(value) => (
          <AnchorLink to="/analytics" search={{ ...search, ...filter, metric: 'first_byte_p95' }} inherit>
            {value}
          </AnchorLink>
        )}
      />
      <MetricFigure
        metric="tokens"
        {...compared}
        note={[
          today('tokens', tokens.show),
          usage && note(measure(usage.totals, 'cached_share'), percentText, text.cachedShare),
        ]
          .filter((part) => part !== undefined && part !== '')
          .join(' · ')}
        link={(value) => (
          <AnchorLink to="/analytics" search={{ ...search, ...filter, metric: 'tokens' }} inherit>
            {value}
          </AnchorLink>
        )}
      />
      {gateway && (
        <Figure
          label={text.activeUsers}
          value={usage && formatNumber(usage.totals.active_users ?? 0)}
          title={usage && formatExact(usage.totals.active_users ?? 0)}
          note={usage ? text.activeKeys(formatNumber(usage.totals.active_keys ?? 0)) : ''}
          change={usage && activeChange(usage)}
          link={(value) => (
            <AnchorLink to="/analytics" search={{ ...search, by: 'user' }} inherit>
              {value}
            </AnchorLink>
          )}
        />
      )}
    </FigureTiles>
  )

  function balanceNote() {
    if (user === undefined) return ''
    if (user.quota <= 0 && user.used_quota > 0) return text.balanceUsedUp
    if (lastsUntil === null) return text.usedTotal(money.quota(user.used_quota))
    return text.lastsUntil(formatTimestamp(lastsUntil).slice(0, 10))
  }

  function today(metric: Metric, show: (value: number) => string) {
    return usage ? note(todaysPart(usage, metric) ?? null, show, text.today) : ''
  }

  /** Without a value, and while it loads, nothing is shown, but the space is kept. */
  function note(value: number | null, show: (value: number) => string, inLanguage: (value: string) => string) {
    return value === null ? '' : inLanguage(show(value))
  }

  function toLog(counted: Counted) {
    return (value: string) =>
      usage === undefined ? value : <LogLink search={logSearchOf(filter, usage, counted)}>{value}</LogLink>
  }

  function activeChange({ totals, previous }: Usage) {
    const change = calls.change(totals.active_users, previous.active_users)
    return change && { ...change, title: words.beforeShort(formatExact(previous.active_users ?? 0)) }
  }
}
