import type { analytics, DataOf } from '@tollgate/contract'
import { useMoney } from '../../lib/format/money.tsx'
import { formatTimestamp } from '../../lib/format/time.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { PanelNote, PanelRow } from '../../ui/layout/panel-rows.tsx'

type Keys = DataOf<typeof analytics.attentionSelf>['keys']

/** Keys that end soon, as list rows. Only their owner can edit them; an administrator sees their calls. */
export function EndingKeys({ keys, everyone = false }: { keys: Keys; everyone?: boolean }) {
  const text = useText(homeText)
  const money = useMoney()
  return keys.list.map((key) => (
    <PanelRow
      key={key.id}
      name={
        everyone ? (
          <AnchorLink to="/log" search={{ username: key.username, token_name: key.name }}>
            {text.keyOf(key.name, key.username)}
          </AnchorLink>
        ) : (
          <AnchorLink to="/token/edit/$id" params={{ id: String(key.id) }}>
            {key.name}
          </AnchorLink>
        )
      }
      title={key.name}
      side={<StatusBadge tone="warn" text={key.reasons.includes('expiring') ? text.keyExpiring : text.keyUsedUp} />}
    >
      {key.reasons.includes('expiring') && <PanelNote text={text.keyExpires(formatTimestamp(key.expired_time))} />}
      {key.reasons.includes('used_up') && (
        <PanelNote text={text.keyLeft(money.quota(key.remain_quota), money.quota(key.remain_quota + key.used_quota))} />
      )}
    </PanelRow>
  ))
}
