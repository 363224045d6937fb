import { useQuery } from '@tanstack/react-query'
import { type ChannelAttention, LogType } from '@tollgate/contract'
import { channelStatusLabel } from '../../lib/labels.ts'
import { formatExact } from '../../lib/numbers.ts'
import { formatTimestamp, nowSeconds } from '../../lib/time.ts'
import { homeText } from '../../text/home.ts'
import { labelsText } from '../../text/labels.ts'
import { useLocale, useText } from '../../text/text.ts'
import { ChannelTypeLabel } from '../../ui/display/channel-type-label.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { shareText } from './attention.ts'
import classes from './home-page.module.css'
import { channelAttention } from './queries.ts'
import { SkeletonRows } from './recent-calls.tsx'

/** More than these are found in the list of channels. */
const SHOWN = 8

/** For administrators: of all channels those that somebody should look at, and a way to them. */
export function AttentionChannels() {
  const text = useText(homeText)
  const { data, isError, error, refetch } = useQuery(channelAttention)
  return (
    <Panel title={text.attention} action={<AnchorLink to="/channel">{text.allChannels}</AnchorLink>} flush>
      {data === undefined && !isError && <SkeletonRows />}
      {data === undefined && isError && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {data?.channels.length === 0 && <p className={classes.message}>{calm(data)}</p>}
      {data !== undefined && data.channels.length > 0 && (
        <ul className={classes.rows}>
          {data.channels.slice(0, SHOWN).map((channel) => (
            <Attention key={channel.id} channel={channel} since={data.recent_since} atLeast={data.more_failures} />
          ))}
        </ul>
      )}
      {data !== undefined && data.channels.length > SHOWN && (
        <p className={classes.footnote}>{text.attentionMore(data.channels.length - SHOWN)}</p>
      )}
      {data !== undefined && data.total > 0 && <p className={classes.footnote}>{text.attentionCounted}</p>}
    </Panel>
  )

  function calm({ total, enabled, day }: Calm) {
    if (total === 0) return text.attentionNoChannels
    if (enabled === 0) return text.attentionAllOff(total)
    const which = enabled === total ? text.everyChannel(total) : text.enabledChannels(enabled, total - enabled)
    if (day.calls === 0) return text.attentionNoCalls(which)
    return text.attentionNone(which, formatExact(day.calls), formatExact(day.failed))
  }
}

interface Calm {
  total: number
  enabled: number
  day: { failed: number; calls: number }
}

interface AttentionProps {
  channel: ChannelAttention
  since: number
  atLeast: boolean
}

function Attention({ channel, since, atLeast }: AttentionProps) {
  const text = useText(homeText)
  const labels = useText(labelsText)
  const locale = useLocale()
  const { reasons, recent, day } = channel
  const failing = reasons.includes('failing')
  const badge = failing ? ({ tone: 'bad', text: text.failing } as const) : badgeOf()
  return (
    <li className={classes.row}>
      <span className={classes.main} title={channel.name}>
        <AnchorLink to="/channel/edit/$id" params={{ id: String(channel.id) }}>
          {channel.name}
        </AnchorLink>
      </span>
      <span className={classes.side}>
        <StatusBadge {...badge} />
      </span>
      <span className={classes.under}>
        <ChannelTypeLabel type={channel.type} />
      </span>
      <span className={classes.under}>
        {day.failed > 0 && (
          <AnchorLink to="/log" search={{ channel: channel.id, type: LogType.failed }} inherit>
            {text.failedCalls}
          </AnchorLink>
        )}
        {/* Another channel answered those, and the log has them under its name. */}
        {day.failed === 0 && recent.failed > 0 && (
          <AnchorLink to="/log" search={{ start: since }} inherit>
            {text.recentCalls}
          </AnchorLink>
        )}
      </span>
      {lines().map((line) => (
        <span key={line} className={classes.reason} title={line}>
          {line}
        </span>
      ))}
    </li>
  )

  function badgeOf() {
    if (reasons.includes('disabled')) return channelStatusLabel(channel.status, labels)
    if (reasons.includes('balance')) return { tone: 'warn', text: text.lowBalance } as const
    if (reasons.includes('unpriced')) return { tone: 'warn', text: text.noPrice } as const
    return { tone: 'warn', text: text.slowly } as const
  }

  function lines() {
    const minutes = Math.max(1, Math.round((nowSeconds() - since) / 60))
    const failedOf = ({ failed, calls }: { failed: number; calls: number | null }) =>
      calls === null
        ? text.failedOnly(formatExact(failed))
        : text.failedShareOf(formatExact(failed), formatExact(calls), shareText({ failed, calls }))
    return [
      locale === 'en' ? channel.status_reason_en : channel.status_reason,
      recent.failed > 0 && text.inMinutes(minutes, failedOf(recent)),
      day.failed > 0 && text.inDay(`${atLeast ? text.atLeast : ''}${failedOf(day)}`),
      channel.last_error !== '' && text.lastError(formatTimestamp(channel.last_error_at), channel.last_error),
      reasons.includes('unpriced') && text.unpricedModels(channel.unpriced.length, channel.unpriced.join(', ')),
      reasons.includes('slow') && text.slow((channel.response_time / 1000).toFixed(1)),
    ].filter((line): line is string => line !== false && line !== '')
  }
}
