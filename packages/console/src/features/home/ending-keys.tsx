import { type analytics, type DataOf, TokenStatusFilter } from '@tollgate/contract'
import { useMoney } from '../../lib/format/money.tsx'
import { formatTimestamp } from '../../lib/format/time.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { PanelNote, PanelRow } from '../../ui/layout/panel-rows.tsx'

type Keys = DataOf<typeof analytics.attentionSelf>['keys']

/** More of a site's keys would push everything else off the screen. */
const SHOWN = 5

/** Keys that end soon, as list rows; the last row counts all of them if not all are shown. */
export function EndingKeys({ keys, everyone = false }: { keys: Keys; everyone?: boolean }) {
  const text = useText(homeText)
  const shown = everyone ? keys.list.slice(0, SHOWN) : keys.list
  const all = text.endingKeys(keys.expiring, keys.used_up)
  return (
    <>
      {shown.map((key) => (
        <EndingKey key={key.id} ending={key} everyone={everyone} />
      ))}
      {/* A key may count twice, once for each of its reasons. */}
      {shown.flatMap(({ reasons }) => reasons).length < keys.expiring + keys.used_up && (
        <PanelRow
          name={
            everyone ? (
              <AnchorLink to="/token/all" search={{ status: TokenStatusFilter.ending }}>
                {all}
              </AnchorLink>
            ) : (
              <AnchorLink to="/token">{all}</AnchorLink>
            )
          }
          title={all}
        />
      )}
    </>
  )
}

/** Only its owner can edit a key; an administrator sees its calls. */
function EndingKey({ ending: key, everyone }: { ending: Keys['list'][number]; everyone: boolean }) {
  const text = useText(homeText)
  const money = useMoney()
  return (
    <PanelRow
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
  )
}
