import { useQuery } from '@tanstack/react-query'
import { ownUser } from '../../api/own-user.ts'
import { useHomeScope } from '../../lib/home-scope.ts'
import { useIsAdmin } from '../../lib/session-user.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { AttentionChannels } from './attention-channels.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './home-page.module.css'
import { OwnContent } from './own-content.tsx'
import { everCalled, usageOf } from './queries.ts'
import { RecentCalls } from './recent-calls.tsx'
import { ScopeBar } from './scope-bar.tsx'
import { SystemStatus } from './system-status.tsx'
import { UsagePanel } from './usage-panel.tsx'

/** Opening it asks for the account, the usage, the content and the notice; the rest when it comes into view. */
export function Overview() {
  const admin = useIsAdmin()
  const { scope, choose } = useHomeScope(admin)
  const self = useQuery({ ...ownUser, staleTime: 0 })
  const usage = useQuery({ ...usageOf(scope), staleTime: 0 })
  const idle = self.data?.request_count === 0 && usage.data?.length === 0
  // A quiet week of others is no beginning.
  const called = useQuery({ ...everCalled, enabled: idle && scope === 'gateway' })
  const failed = [self, usage].filter(({ data, isError }) => data === undefined && isError)
  if (failed.length > 0)
    return <LoadFailed error={failed[0]?.error} onRetry={() => void failed.map(({ refetch }) => refetch())} />
  // What is further down waits for what stands above it: only then is it known whether anyone sees it.
  const known = self.data !== undefined && usage.data !== undefined && !(idle && called.isLoading)
  const isNew = idle && called.data !== true
  return (
    <div className={classes.overview} aria-busy={!known}>
      <OwnContent />
      <ScopeBar admin={admin} scope={scope} onChoose={choose} />
      <Figures scope={scope} user={self.data} rows={usage.data} />
      {known && isNew && <FirstSteps admin={admin} penniless={self.data.quota <= 0} />}
      {!(known && isNew) && <UsagePanel scope={scope} rows={usage.data} />}
      {known && (
        <>
          {(!isNew || admin) && (
            <div className={classes.columns}>
              {!isNew && <RecentCalls scope={scope} />}
              {admin && <AttentionChannels />}
            </div>
          )}
          <SystemStatus />
        </>
      )}
    </div>
  )
}
