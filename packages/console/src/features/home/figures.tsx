import { useQuery } from '@tanstack/react-query'
import type { DashboardRow, OwnUser } from '@tollgate/contract'
import type { HomeScope } from '../../lib/home-scope.ts'
import { useMoney } from '../../lib/money.tsx'
import { formatExact, formatNumber } from '../../lib/numbers.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { Figure } from '../../ui/layout/figure.tsx'
import { shareText } from './attention.ts'
import classes from './home-page.module.css'
import { channelAttention } from './queries.ts'
import { readersNow, todays, totalsOf } from './usage-data.ts'

interface FiguresProps {
  scope: HomeScope
  user: OwnUser | undefined
  rows: readonly DashboardRow[] | undefined
}

export function Figures({ scope, user, rows }: FiguresProps) {
  const text = useText(homeText)
  const money = useMoney()
  const today = rows && totalsOf(todays(rows, readersNow()))
  const week = rows && totalsOf(rows)
  const whose = scope === 'gateway' ? text.ofGateway : text.ofMine
  return (
    <dl className={classes.figures} aria-label={scope === 'gateway' ? text.figuresGateway : text.figures}>
      {scope === 'mine' && (
        <Figure
          label={text.balance}
          value={user && money.quota(user.quota)}
          title={user && money.explained(user.quota)}
          note={user ? text.usedTotal(money.quota(user.used_quota)) : ''}
        />
      )}
      <Figure
        label={text.spentToday}
        value={today && money.quota(today.quota, 'fine')}
        title={today && money.explained(today.quota)}
        note={week ? whose(text.lastWeek(money.quota(week.quota, 'fine'))) : ''}
      />
      <Figure
        label={text.requestsToday}
        value={today && formatNumber(today.requests)}
        title={today && formatExact(today.requests)}
        note={week ? whose(text.lastWeek(text.times(formatNumber(week.requests)))) : ''}
      />
      <Figure
        label={text.tokensToday}
        value={today && formatNumber(today.tokens)}
        title={today && formatExact(today.tokens)}
        note={week ? whose(text.lastWeek(formatNumber(week.tokens))) : ''}
      />
      {scope === 'gateway' && <FailedToday />}
    </dl>
  )
}

/** How many calls nobody answered in a day. */
function FailedToday() {
  const text = useText(homeText)
  const { data, isError } = useQuery({ ...channelAttention, staleTime: 0 })
  if (data === undefined) return <Figure label={text.failedShare} value={isError ? '—' : undefined} note="" />
  const { failed, calls } = data.day
  return (
    <Figure
      label={text.failedShare}
      value={calls === 0 ? '—' : shareText({ failed, calls })}
      note={text.ofGateway(text.failedOf(formatNumber(failed), formatNumber(calls)))}
    />
  )
}
