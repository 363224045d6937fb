import { type analytics, type DataOf, LogType, type ModelListNews } from '@tollgate/contract'
import { formatMs } from '../../lib/format/format-ms.ts'
import { channelStatusLabel } from '../../lib/format/labels.ts'
import { formatExact } from '../../lib/format/numbers.ts'
import { shareText } from '../../lib/format/share.ts'
import { formatTimestamp, nowSeconds } from '../../lib/format/time.ts'
import { homeText } from '../../text/home.ts'
import { labelsText } from '../../text/labels.ts'
import { useLocale, useText } from '../../text/text.ts'
import { ChannelTypeLabel } from '../../ui/display/channel-type-label.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { PanelNote, PanelRow } from '../../ui/layout/panel-rows.tsx'
import { UnpricedNote } from './unpriced-channels.tsx'

interface AttentionChannelProps {
  channel: DataOf<typeof analytics.attention>['channels'][number]
  /** In which attempts count as recent, and as of the last day. */
  windows: Pick<DataOf<typeof analytics.attention>['windows'], 'recent' | 'day'>
  /** There were more failures in a day than were counted. */
  atLeast: boolean
}

/** A channel that needs attention, why, and a link to its calls. */
export function AttentionChannel({ channel, windows, atLeast }: AttentionChannelProps) {
  const text = useText(homeText)
  const labels = useText(labelsText)
  const locale = useLocale()
  const { reasons, recent, day } = channel
  const failing = reasons.includes('failing')
  const badge = failing ? ({ tone: 'bad', text: text.failing } as const) : badgeOf()
  return (
    <PanelRow
      name={
        <AnchorLink to="/channel/edit/$id" params={{ id: String(channel.id) }}>
          {channel.name}
        </AnchorLink>
      }
      title={channel.name}
      side={<StatusBadge {...badge} />}
      under={<ChannelTypeLabel type={channel.type} />}
      underSide={
        <>
          {day.failed > day.saved && (
            <AnchorLink
              to="/log"
              search={{ channel: channel.id, type: LogType.failed, start: windows.day.start }}
              inherit
            >
              {text.failedCalls}
            </AnchorLink>
          )}
          {day.failed === 0 && recent.failed === 0 && channel.model_list !== null && (
            <AnchorLink to="/channel/models" search={{ channel: channel.id }} inherit>
              {text.modelListReview}
            </AnchorLink>
          )}
          {/* The log has these calls under the name of the channel that answered. */}
          {day.failed > 0 && day.failed === day.saved && channel.last_request_id !== '' && (
            <AnchorLink to="/log/$request" params={{ request: channel.last_request_id }} inherit>
              {text.lastFailed}
            </AnchorLink>
          )}
        </>
      }
    >
      {lines().map((line) => (
        <PanelNote key={line} text={line} />
      ))}
      {reasons.includes('unpriced') && <UnpricedNote models={channel.unpriced} />}
    </PanelRow>
  )

  function badgeOf() {
    if (reasons.includes('disabled')) return channelStatusLabel(channel.status, labels)
    if (reasons.includes('balance')) return { tone: 'warn', text: text.lowBalance } as const
    if (reasons.includes('slow') || reasons.includes('slower')) return { tone: 'warn', text: text.slowly } as const
    // Said by a line of its own, and of many channels at once.
    if (reasons.includes('unpriced')) return { tone: 'warn', text: text.noPrice } as const
    return { tone: 'warn', text: isUnread(channel.model_list) ? text.modelListUnread : text.modelList } as const
  }

  function modelListLine({ added, missing, error }: ModelListNews) {
    const changes = added + missing > 0 && text.modelListChanges(added, missing)
    return [changes, error !== null && text.modelListFailed(error[locale === 'en' ? 'en' : 'zh'])]
      .filter(Boolean)
      .join(' · ')
  }

  function lines() {
    const minutes = Math.max(1, Math.round((nowSeconds() - windows.recent.start) / 60))
    const failedOf = ({ failed, calls }: { failed: number; calls: number | null }) =>
      calls === null
        ? text.failedOnly(formatExact(failed))
        : text.failedShareOf(formatExact(failed), formatExact(calls), shareText({ failed, calls }))
    const savedOf = (failures: string) =>
      day.saved > 0 ? text.savedByRetry(failures, formatExact(day.saved)) : failures
    return [
      locale === 'en' ? channel.status_reason_en : channel.status_reason,
      recent.failed > 0 && text.inMinutes(minutes, failedOf(recent)),
      day.failed > 0 && text.inDay(`${atLeast ? text.atLeast : ''}${savedOf(failedOf(day))}`),
      channel.last_error !== '' && text.lastError(formatTimestamp(channel.last_error_at), channel.last_error),
      channel.slower !== null && text.slower(formatMs(channel.slower.hour_p95), formatMs(channel.slower.week_p95)),
      channel.model_list !== null && modelListLine(channel.model_list),
      reasons.includes('slow') && text.slow((channel.response_time / 1000).toFixed(1)),
    ].filter((line): line is string => line !== false && line !== '')
  }
}

/** The list could not be fetched, and no change is known. */
const isUnread = (news: ModelListNews | null) => news !== null && news.added + news.missing === 0
