import { useQuery } from '@tanstack/react-query'
import { ownUser } from '../../api/own-user.ts'
import { useIsAdmin } from '../../lib/session-user.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { AttentionChannels } from './attention-channels.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './home-page.module.css'
import { OwnContent } from './own-content.tsx'
import { ownUsage } from './queries.ts'
import { RecentCalls } from './recent-calls.tsx'
import { SystemStatus } from './system-status.tsx'
import { UsagePanel } from './usage-panel.tsx'

/** Opening it asks for the account, the usage and the notice; the rest when it comes into view. */
export function Overview() {
  const admin = useIsAdmin()
  const self = useQuery({ ...ownUser, staleTime: 0 })
  const usage = useQuery({ ...ownUsage, staleTime: 0 })
  const failed = [self, usage].filter(({ data, isError }) => data === undefined && isError)
  if (failed.length > 0) return <LoadFailed onRetry={() => void failed.map(({ refetch }) => refetch())} />
  // What is further down waits for what stands above it: only then is it known whether anyone sees it.
  const known = self.data !== undefined && usage.data !== undefined
  if (known && self.data.request_count === 0 && usage.data.length === 0) {
    return (
      <div className={classes.overview}>
        <Figures user={self.data} rows={usage.data} />
        <FirstSteps admin={admin} penniless={self.data.quota <= 0} />
        <SystemStatus />
        {admin && <AttentionChannels />}
        <OwnContent />
      </div>
    )
  }
  return (
    <div className={classes.overview} aria-busy={!known}>
      <Figures user={self.data} rows={usage.data} />
      <UsagePanel rows={usage.data} />
      {known && (
        <>
          <div className={classes.columns}>
            <RecentCalls />
            {admin && <AttentionChannels />}
          </div>
          <SystemStatus />
          <OwnContent />
        </>
      )}
    </div>
  )
}
