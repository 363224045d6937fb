import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatExact } from '../../lib/format/numbers.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PanelRow, PanelRows, SkeletonRows } from '../../ui/layout/panel-rows.tsx'
import { AttentionChannel } from './attention-channel.tsx'
import { EndingKeys } from './ending-keys.tsx'
import classes from './home-page.module.css'
import { attention, channelAttention } from './queries.ts'
import { apartFromUnpriced, UnpricedChannels } from './unpriced-channels.tsx'

/** The others are shown on demand. */
const SHOWN = 8

/** For administrators: channels and keys that need attention, with links. */
export function AttentionPanel() {
  const text = useText(homeText)
  const found = useQuery(attention)
  const channels = useQuery(channelAttention)
  const failed = [found, channels].find(({ data, isError }) => data === undefined && isError)
  const [data, counted] = [found.data, channels.data]
  const listed = apartFromUnpriced(data?.channels ?? [])
  const [all, setAll] = useState(false)
  const shown = all ? listed.channels : listed.channels.slice(0, SHOWN)
  return (
    <Panel title={text.attention} action={<AnchorLink to="/channel">{text.allChannels}</AnchorLink>} flush>
      {failed !== undefined && <LoadFailed error={failed.error} onRetry={() => void failed.refetch()} />}
      {failed === undefined && (data === undefined || counted === undefined) && <SkeletonRows />}
      {data !== undefined && counted !== undefined && (
        <>
          {data.redis_trouble && <p className={classes.warning}>{text.redisTrouble(data.redis_trouble)}</p>}
          {data.channels.length === 0 && <p className={classes.message}>{allWell(counted)}</p>}
          {(data.channels.length > 0 || data.keys.list.length > 0) && (
            <PanelRows>
              {shown.map((channel) => (
                <AttentionChannel
                  key={channel.id}
                  channel={channel}
                  windows={data.windows}
                  atLeast={counted.more_failures}
                />
              ))}
              {shown.length < listed.channels.length && (
                <PanelRow
                  name={
                    <Button size="compact-sm" variant="default" onClick={() => setAll(true)}>
                      {text.attentionMore(listed.channels.length - shown.length)}
                    </Button>
                  }
                />
              )}
              {listed.unpriced.length > 0 && <UnpricedChannels channels={listed.unpriced} />}
              <EndingKeys keys={data.keys} everyone />
            </PanelRows>
          )}
          {counted.total > 0 && <p className={classes.footnote}>{text.attentionCounted}</p>}
        </>
      )}
    </Panel>
  )

  function allWell({ total, enabled, day }: AllWell) {
    if (total === 0) return text.attentionNoChannels
    if (enabled === 0) return text.attentionAllOff(total)
    const which = enabled === total ? text.everyChannel(total) : text.enabledChannels(enabled, total - enabled)
    if (day.calls === 0) return text.attentionNoCalls(which)
    return text.attentionNone(which, formatExact(day.calls), formatExact(day.failed))
  }
}

interface AllWell {
  total: number
  enabled: number
  day: { failed: number; calls: number }
}
