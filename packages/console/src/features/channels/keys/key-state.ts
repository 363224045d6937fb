import { type ChannelKey, ChannelKeyStatus } from '@tollgate/contract'
import type { Tone } from '../../../lib/format/labels.ts'
import { formatExact } from '../../../lib/format/numbers.ts'
import { formatTimestamp } from '../../../lib/format/time.ts'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channel-keys.ts'

interface KeyState {
  text: string
  tone: Tone
  /** Undefined when the word is enough. */
  reason: string | undefined
}

/** The state of a key in a word, and the reason. */
export function keyState(
  { status, status_reason, cooldowns }: Pick<ChannelKey, 'status' | 'status_reason' | 'cooldowns'>,
  text: Words<typeof zh>,
): KeyState {
  if (status === ChannelKeyStatus.paused) return { text: text.statuses.paused, tone: 'off', reason: text.pausedHelp }
  if (status === ChannelKeyStatus.setAside) {
    return { text: text.statuses.setAside, tone: 'bad', reason: text.setAsideHelp(status_reason) }
  }
  const [longest] = cooldowns
  if (longest === undefined) return { text: text.statuses.enabled, tone: 'good', reason: undefined }
  const models = cooldowns.length === 1 ? longest.model : text.coolingModels(formatExact(cooldowns.length))
  const waits = cooldowns.map(({ model, until }) => text.coolingUntil(model, formatTimestamp(until))).join(text.comma)
  return { text: text.cooling(models, formatTimestamp(longest.until)), tone: 'warn', reason: text.coolingHelp(waits) }
}
