import { useQuery } from '@tanstack/react-query'
import { type Log, LogType } from '@tollgate/contract'
import { useRef } from 'react'
import { logTypeLabel } from '../../lib/format/labels.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { useSeen } from '../../lib/lists/in-view.ts'
import type { HomeScope } from '../../lib/session/home-scope.ts'
import { useIsAdmin, useSessionUser } from '../../lib/session/session-user.ts'
import { homeText } from '../../text/home.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TimeText } from '../../ui/display/time-text.tsx'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PanelNote, PanelRow, PanelRows, SkeletonRows } from '../../ui/layout/panel-rows.tsx'
import classes from './home-page.module.css'
import { recentLogs } from './queries.ts'

/** Beside what needs attention, which is longer for a whole gateway. */
const SHOWN = { gateway: 10, mine: 6 }

export function RecentCalls({ scope }: { scope: HomeScope }) {
  const text = useText(homeText)
  const rows = useRef<HTMLDivElement>(null)
  const { data, isError, error, refetch } = useQuery({ ...recentLogs(scope), enabled: useSeen(rows) })
  const own = useSessionUser()?.username
  // Only administrators have a choice, and their log shows everybody's calls.
  const isNarrowed = useIsAdmin() && scope === 'mine'
  const all = (
    <AnchorLink to="/log" search={isNarrowed ? { username: own } : {}}>
      {text.allLogs}
    </AnchorLink>
  )
  return (
    <Panel title={scope === 'gateway' ? text.recentGateway : text.recent} action={all} flush>
      <div ref={rows}>
        {data === undefined && !isError && <SkeletonRows />}
        {data === undefined && isError && <LoadFailed error={error} onRetry={() => void refetch()} />}
        {data?.rows.length === 0 && <p className={classes.message}>{text.recentEmpty}</p>}
        {data !== undefined && data.rows.length > 0 && (
          <PanelRows quiet>
            {data.rows.slice(0, SHOWN[scope]).map((log) => (
              <Call key={log.id} log={log} showsUser={scope === 'gateway'} />
            ))}
          </PanelRows>
        )}
      </div>
    </Panel>
  )
}

function Call({ log, showsUser }: { log: Log; showsUser: boolean }) {
  const labels = useText(labelsText)
  const money = useMoney()
  const called = log.model_name !== ''
  const failed = log.type === LogType.failed
  const name = called ? log.model_name : failed ? labels.nameless.model : log.content
  return (
    <PanelRow
      name={
        log.request_id === '' ? (
          name
        ) : (
          <AnchorLink to="/log/$request" params={{ request: log.request_id }} inherit>
            {name}
          </AnchorLink>
        )
      }
      title={name}
      mono={called}
      side={log.quota !== 0 && money.quota(log.quota, 'fine')}
      sideTitle={log.quota === 0 ? undefined : money.explained(log.quota)}
      under={
        <>
          <StatusBadge {...logTypeLabel(log.type, labels)} />
          {showsUser && log.username !== '' && ` · ${log.username}`}
          {log.token_name !== '' && ` · ${log.token_name}`}
        </>
      }
      underSide={<TimeText seconds={log.created_at} />}
    >
      {failed && <PanelNote text={log.content} wraps />}
    </PanelRow>
  )
}
