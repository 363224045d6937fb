import { useQuery } from '@tanstack/react-query'
import { type Channel, PAGE_SIZE } from '@tollgate/contract'
import { useRef } from 'react'
import { useSeen } from '../../lib/in-view.ts'
import { channelStatusLabel } from '../../lib/labels.ts'
import { homeText } from '../../text/home.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { ChannelTypeLabel } from '../../ui/channel-type-label.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { isSlow, needingAttention } from './attention.ts'
import classes from './home-page.module.css'
import { newestChannels } from './queries.ts'
import { SkeletonRows } from './recent-calls.tsx'

/** For administrators: the channels that are switched off or slow, and a way to them. */
export function AttentionChannels() {
  const text = useText(homeText)
  const rows = useRef<HTMLDivElement>(null)
  const { data, isError, refetch } = useQuery({ ...newestChannels, enabled: useSeen(rows) })
  const found = data && needingAttention(data.rows)
  return (
    <Panel title={text.attention} action={<AnchorLink to="/channel">{text.allChannels}</AnchorLink>} flush>
      <div ref={rows}>
        {data === undefined && !isError && <SkeletonRows />}
        {data === undefined && isError && <LoadFailed onRetry={() => void refetch()} />}
        {data !== undefined && found?.length === 0 && <p className={classes.message}>{calm(data.total)}</p>}
        {found !== undefined && found.length > 0 && (
          <ul className={classes.rows}>
            {found.map((channel) => (
              <Attention key={channel.id} channel={channel} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )

  function calm(total: number) {
    if (total === 0) return text.attentionNoChannels
    return total > PAGE_SIZE ? text.attentionNonePartial : text.attentionNone
  }
}

function Attention({ channel }: { channel: Channel }) {
  const text = useText(homeText)
  const labels = useText(labelsText)
  const { text: status, tone } = channelStatusLabel(channel.status, labels)
  const slow = isSlow(channel) && text.slow((channel.response_time / 1000).toFixed(1))
  return (
    <li className={classes.row}>
      <span className={classes.main} title={channel.name}>
        <AnchorLink to="/channel/edit/$id" params={{ id: String(channel.id) }}>
          {channel.name}
        </AnchorLink>
      </span>
      <span className={classes.side}>
        <StatusBadge tone={tone} text={status} />
      </span>
      <span className={classes.under}>
        <ChannelTypeLabel type={channel.type} />
      </span>
      <span className={classes.under} title={channel.status_reason}>
        {channel.status_reason || slow}
      </span>
    </li>
  )
}
