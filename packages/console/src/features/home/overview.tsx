import { useQuery } from '@tanstack/react-query'
import { ownUser } from '../../api/own-user.ts'
import { usageOf } from '../../api/usage.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { AttentionPanel } from './attention-panel.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './home-page.module.css'
import { OwnAttention } from './own-attention.tsx'
import { OwnContent } from './own-content.tsx'
import { everCalled } from './queries.ts'
import { RecentCalls } from './recent-calls.tsx'
import { ScopeBar } from './scope-bar.tsx'
import { SystemStatus } from './system-status.tsx'
import { TopLists } from './top-lists.tsx'
import { UsagePanel } from './usage-panel.tsx'
import { useHome } from './use-home.ts'

/** Opening it requests the account, the usage, the content and the notice; the rest when it scrolls into view. */
export function Overview() {
  const home = useHome()
  const { admin, scope } = home
  const self = useQuery({ ...ownUser, staleTime: 0 })
  const usage = useQuery({ ...usageOf(home.query), staleTime: 0 })
  const idle = self.data?.request_count === 0 && usage.data?.totals.calls === 0
  // A week without calls does not mean that the gateway is new.
  const called = useQuery({ ...everCalled, enabled: idle && scope === 'gateway' })
  const failed = [self, usage].filter(({ data, isError }) => data === undefined && isError)
  if (failed.length > 0)
    return <LoadFailed error={failed[0]?.error} onRetry={() => void failed.map(({ refetch }) => refetch())} />
  // Whether lower sections are visible is known only after those above have loaded.
  const known = self.data !== undefined && usage.data !== undefined && !(idle && called.isLoading)
  const isNew = idle && called.data !== true
  return (
    <div className={classes.overview} aria-busy={!known}>
      <OwnContent />
      <ScopeBar home={home} />
      <Figures home={home} user={self.data} usage={usage.data} />
      {known && isNew && <FirstSteps admin={admin} hasNoBalance={self.data.quota <= 0} />}
      {!(known && isNew) && <UsagePanel home={home} usage={usage.data} />}
      {known && (
        <>
          {(!isNew || scope === 'gateway') && (
            <div className={classes.columns}>
              {scope === 'gateway' ? <AttentionPanel /> : <OwnAttention />}
              {!isNew && <RecentCalls scope={scope} />}
            </div>
          )}
          {!isNew && <TopLists home={home} />}
          <SystemStatus />
        </>
      )}
    </div>
  )
}
