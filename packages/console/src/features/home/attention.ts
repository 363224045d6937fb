import { type Channel, ChannelStatus } from '@tollgate/contract'

const SLOW_MS = 5000

export const isSlow = ({ response_time }: Pick<Channel, 'response_time'>) => response_time > SLOW_MS

/** Those that the product switched off come first, then those that a person did, then the slow ones. */
export const needingAttention = (channels: readonly Channel[]) =>
  channels
    .filter((channel) => channel.status !== ChannelStatus.enabled || isSlow(channel))
    .toSorted((a, b) => urgency(b) - urgency(a) || b.response_time - a.response_time)

function urgency({ status }: Channel) {
  if (status === ChannelStatus.autoDisabled) return 2
  return status === ChannelStatus.enabled ? 0 : 1
}
