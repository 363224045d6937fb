import type { analytics, DataOf } from '@tollgate/contract'
import { useMoney } from '../../lib/money.tsx'
import { formatTimestamp } from '../../lib/time.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import classes from './home-page.module.css'

type Keys = DataOf<typeof analytics.attentionSelf>['keys']

/** Keys that end soon, as list rows. Only their owner can edit them; an administrator sees their calls. */
export function EndingKeys({ keys, everyone = false }: { keys: Keys; everyone?: boolean }) {
  const text = useText(homeText)
  const money = useMoney()
  return keys.list.map((key) => (
    <li key={key.id} className={classes.row}>
      <span className={classes.main} title={key.name}>
        {everyone ? (
          <AnchorLink to="/log" search={{ username: key.username, token_name: key.name }}>
            {text.keyOf(key.name, key.username)}
          </AnchorLink>
        ) : (
          <AnchorLink to="/token/edit/$id" params={{ id: String(key.id) }}>
            {key.name}
          </AnchorLink>
        )}
      </span>
      <span className={classes.side}>
        <StatusBadge tone="warn" text={key.reasons.includes('expiring') ? text.keyExpiring : text.keyUsedUp} />
      </span>
      {key.reasons.includes('expiring') && (
        <span className={classes.reason}>{text.keyExpires(formatTimestamp(key.expired_time))}</span>
      )}
      {key.reasons.includes('used_up') && (
        <span className={classes.reason}>
          {text.keyLeft(money.quota(key.remain_quota), money.quota(key.remain_quota + key.used_quota))}
        </span>
      )}
    </li>
  ))
}
