import type { DashboardRow, OwnUser } from '@tollgate/contract'
import { useMoney } from '../../lib/money.tsx'
import { formatExact, formatNumber } from '../../lib/numbers.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { Figure } from '../../ui/figure.tsx'
import classes from './home-page.module.css'
import { readersNow, todays, totalsOf } from './usage-data.ts'

interface FiguresProps {
  user: OwnUser | undefined
  rows: readonly DashboardRow[] | undefined
}

export function Figures({ user, rows }: FiguresProps) {
  const text = useText(homeText)
  const money = useMoney()
  const today = rows && totalsOf(todays(rows, readersNow()))
  const week = rows && totalsOf(rows)
  return (
    <dl className={classes.figures} aria-label={text.figures}>
      <Figure
        label={text.balance}
        value={user && money.quota(user.quota)}
        title={user && formatExact(user.quota)}
        note={user ? text.usedTotal(money.quota(user.used_quota)) : ''}
      />
      <Figure
        label={text.spentToday}
        value={today && money.quota(today.quota)}
        title={today && formatExact(today.quota)}
        note={week ? text.lastWeek(money.quota(week.quota)) : ''}
      />
      <Figure
        label={text.requestsToday}
        value={today && formatNumber(today.requests)}
        note={user ? text.requestsTotal(formatNumber(user.request_count)) : ''}
      />
      <Figure
        label={text.tokensToday}
        value={today && formatNumber(today.tokens)}
        title={today && formatExact(today.tokens)}
        note={week ? text.lastWeek(formatNumber(week.tokens)) : ''}
      />
    </dl>
  )
}
