import { useQuery } from '@tanstack/react-query'
import { LogType } from '@tollgate/contract'
import { useMoney } from '../../lib/format/money.tsx'
import { useIsAdmin, useSessionUser } from '../../lib/session/session-user.ts'
import { useText } from '../../text/text.ts'
import { topupText } from '../../text/topup.ts'
import { TimeText } from '../../ui/display/time-text.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PanelRow, PanelRows } from '../../ui/layout/panel-rows.tsx'
import { recentTopUps } from './queries.ts'

/** What was added to the balance, newest first: codes, payments and refunds with their reason. */
export function RecentTopUps() {
  const text = useText(topupText)
  const money = useMoney()
  const { data } = useQuery(recentTopUps)
  const own = useSessionUser()?.username
  const admin = useIsAdmin()
  if (data === undefined || data.rows.length === 0) return null
  const all = (
    // The log of an administrator shows everybody's entries.
    <AnchorLink to="/log" search={{ type: LogType.topUp, ...(admin && { username: own }) }}>
      {text.allTopUps}
    </AnchorLink>
  )
  return (
    <Panel title={text.recent} action={all} flush>
      <PanelRows>
        {data.rows.map(({ id, content, quota, created_at }) => (
          <PanelRow
            key={id}
            name={content}
            wraps
            side={money.quota(quota)}
            sideTitle={money.explained(quota)}
            under={<TimeText seconds={created_at} />}
          />
        ))}
      </PanelRows>
    </Panel>
  )
}
