import { useQuery } from '@tanstack/react-query'
import { ownUser } from '../../api/own-user.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { formatNumber } from '../../lib/format/numbers.ts'
import { useText } from '../../text/text.ts'
import { topupText } from '../../text/topup.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { Figure, FigureTiles } from '../../ui/layout/figure.tsx'
import { InviteCard } from './invite-card.tsx'
import { RecentTopUps } from './recent-top-ups.tsx'
import { RedeemCard } from './redeem-card.tsx'
import classes from './topup-page.module.css'

export function TopupPage() {
  const text = useText(topupText)
  const money = useMoney()
  const { data: user, isError, error, refetch } = useQuery({ ...ownUser, staleTime: 0 })
  if (user === undefined && isError) return <LoadFailed error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes.page}>
      <FigureTiles columns={3} isFirstWide aria-live="polite" aria-busy={user === undefined}>
        <Figure
          label={text.balance}
          value={user && money.quota(user.quota)}
          title={user && money.explained(user.quota)}
        />
        <Figure
          label={text.used}
          value={user && money.quota(user.used_quota)}
          title={user && money.explained(user.used_quota)}
        />
        <Figure label={text.requests} value={user && formatNumber(user.request_count)} />
      </FigureTiles>
      <RedeemCard />
      <RecentTopUps />
      <InviteCard code={user?.aff_code} />
    </div>
  )
}
