import { Group, Switch } from '@mantine/core'
import { type Channel, ChannelStatus, warnings } from '@tollgate/contract'
import { call } from '../../../api/call.ts'
import { channelStatusLabel } from '../../../lib/format/labels.ts'
import { channelsText } from '../../../text/channels.ts'
import { labelsText } from '../../../text/labels.ts'
import { useLocale, useText } from '../../../text/text.ts'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channels.ts'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Hint } from '../../../ui/feedback/hint.tsx'
import { useWarned } from '../../../ui/feedback/use-warned.ts'

interface ChannelStatusProps {
  channel: Channel
  onToggle: (status: number) => void
}

/** The switch, the status, and for a disabled channel who disabled it and why. */
export function ChannelStatusCell({ channel, onToggle }: ChannelStatusProps) {
  const text = useText(channelsText)
  const labels = useText(labelsText)
  const { warned } = useWarned()
  const { id, name, status } = channel
  const enabled = status === ChannelStatus.enabled
  const badge = <StatusBadge {...channelStatusLabel(status, labels)} />
  const reason = reasonOf(channel, text, useLocale() === 'en' ? channel.status_reason_en : channel.status_reason)
  const toggle = () => {
    if (!enabled) return onToggle(ChannelStatus.enabled)
    warned({
      ask: () => call(warnings.channel, { body: { id, status: ChannelStatus.disabled } }),
      save: () => onToggle(ChannelStatus.disabled),
      question: { title: text.disableAsk(name), confirmLabel: text.disable },
    })
  }
  return (
    <Group gap={8} wrap="nowrap" justify="inherit">
      <Switch size="xs" checked={enabled} aria-label={text.toggle(name)} onChange={toggle} />
      {reason === undefined ? badge : <Hint label={reason}>{badge}</Hint>}
    </Group>
  )
}

function reasonOf({ status }: Channel, text: Words<typeof zh>, why: string) {
  if (status === ChannelStatus.disabled) return text.byHand
  if (status !== ChannelStatus.autoDisabled) return undefined
  return why === '' ? text.byProgram : text.because(why)
}
