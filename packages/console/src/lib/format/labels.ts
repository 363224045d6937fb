import {
  ChannelStatus,
  LogType,
  type Outcome,
  RedemptionStatus,
  Role,
  TokenStatus,
  UserStatus,
} from '@tollgate/contract'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/labels.ts'

/** The meaning of a colour, the same on every screen: fine, attention, broken, information, inactive. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'off'

type LabelWords = Words<typeof zh>
type Label = readonly [text: (words: LabelWords) => string, tone: Tone]

/** The label and tone of a wire value: `tokenStatusLabel(token.status, useText(labelsText))`. */
const lookup = (labels: Readonly<Record<number, Label>>, unknown: Label) => (value: number, words: LabelWords) => {
  const [text, tone] = labels[value] ?? unknown
  return { text: text(words), tone }
}

const unknownStatus: Label = [(words) => words.unknownStatus, 'off']
const enabled: Label = [(words) => words.enabled, 'good']
const disabled: Label = [(words) => words.disabled, 'bad']

export const roleLabel = lookup(
  {
    [Role.user]: [(words) => words.role.user, 'off'],
    [Role.admin]: [(words) => words.role.admin, 'warn'],
    [Role.root]: [(words) => words.role.root, 'info'],
  },
  [(words) => words.role.unknown, 'bad'],
)

export const userStatusLabel = lookup(
  {
    [UserStatus.enabled]: [(words) => words.user.enabled, 'good'],
    [UserStatus.banned]: [(words) => words.user.banned, 'bad'],
  },
  unknownStatus,
)

export const tokenStatusLabel = lookup(
  {
    [TokenStatus.enabled]: enabled,
    [TokenStatus.disabled]: disabled,
    [TokenStatus.expired]: [(words) => words.token.expired, 'warn'],
    [TokenStatus.exhausted]: [(words) => words.token.exhausted, 'off'],
  },
  unknownStatus,
)

export const channelStatusLabel = lookup(
  {
    [ChannelStatus.enabled]: enabled,
    [ChannelStatus.disabled]: [(words) => words.channel.disabled, 'bad'],
    [ChannelStatus.autoDisabled]: [(words) => words.channel.autoDisabled, 'warn'],
  },
  unknownStatus,
)

export const redemptionStatusLabel = lookup(
  {
    [RedemptionStatus.unused]: [(words) => words.redemption.unused, 'good'],
    [RedemptionStatus.disabled]: disabled,
    [RedemptionStatus.used]: [(words) => words.redemption.used, 'off'],
  },
  unknownStatus,
)

const OUTCOME_TONES: Readonly<Record<Outcome, Tone>> = {
  success: 'good',
  client_error: 'warn',
  access: 'warn',
  rate_limited: 'warn',
  upstream_error: 'bad',
  timeout: 'bad',
  canceled: 'off',
}

export const outcomeLabel = (outcome: Outcome, words: LabelWords) => ({
  text: words.outcome[outcome],
  tone: OUTCOME_TONES[outcome],
})

export const logTypeLabel = lookup(
  {
    [LogType.topUp]: [(words) => words.log.topUp, 'good'],
    [LogType.consume]: [(words) => words.log.consume, 'info'],
    [LogType.manage]: [(words) => words.log.manage, 'warn'],
    [LogType.system]: [(words) => words.log.system, 'off'],
    [LogType.test]: [(words) => words.log.test, 'info'],
    [LogType.failed]: [(words) => words.log.failed, 'bad'],
  },
  [(words) => words.log.unknown, 'off'],
)
