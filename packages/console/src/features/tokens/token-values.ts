import {
  commaList,
  Defaults,
  NEVER_EXPIRES,
  type RateLimits,
  type RecordingSettings,
  type Token,
} from '@tollgate/contract'
import { formatTimestamp, parseTimestamp } from '../../lib/format/time.ts'
import { changedMembers } from '../../lib/forms/changed-members.ts'
import type { TokenInput } from './queries.ts'

/** The form values: the expiry as typed, the models as a list. */
export interface TokenValues {
  name: string
  remain_quota: number
  unlimited_quota: boolean
  /** Empty means never. */
  expiry: string
  models: string[]
  subnet: string
  rate_limits: RateLimits
  fallback: boolean
  /** Null when nothing is recorded. */
  recording: RecordingSettings | null
  /** What was recorded is deleted when recording is turned off. */
  delete_recordings: boolean
}

export const NEW_TOKEN: TokenValues = {
  name: '',
  remain_quota: Defaults.tokenQuota,
  unlimited_quota: false,
  expiry: '',
  models: [],
  subnet: '',
  rate_limits: {},
  fallback: true,
  recording: null,
  delete_recordings: false,
}

export const toValues = (token: Token): TokenValues => ({
  name: token.name,
  remain_quota: Math.max(0, token.remain_quota),
  unlimited_quota: token.unlimited_quota,
  expiry: token.expired_time === NEVER_EXPIRES ? '' : formatTimestamp(token.expired_time),
  models: commaList(token.models),
  subnet: token.subnet,
  rate_limits: token.rate_limits,
  fallback: token.fallback,
  recording: token.recording,
  delete_recordings: false,
})

export const isExpiry = (text: string) => text.trim() === '' || parseTimestamp(text) !== undefined

/** The body to send. Only for an expiry that `isExpiry` accepts. */
export const toInput = (values: TokenValues): TokenInput => ({
  name: values.name.trim(),
  remain_quota: Math.trunc(values.remain_quota),
  unlimited_quota: values.unlimited_quota,
  expired_time: parseTimestamp(values.expiry) ?? NEVER_EXPIRES,
  models: values.models.join(','),
  subnet: commaList(values.subnet).join(','),
  rate_limits: values.rate_limits,
  fallback: values.fallback,
  recording: values.recording,
})

/** What was changed. The quota is sent with the one that was shown, so that spending is not undone. */
export const toEdit = (values: TokenValues, token: Token) => {
  const [before, after] = [toInput(toValues(token)), toInput(values)]
  const changed = changedMembers(before, after)
  const isLimitChanged = changed.remain_quota !== undefined || changed.unlimited_quota !== undefined
  return {
    ...changed,
    ...(isLimitChanged && { remain_quota: after.remain_quota, remain_quota_base: before.remain_quota }),
    ...(values.recording === null && values.delete_recordings && { delete_recordings: true }),
  }
}

/** The part that can make every call with the key fail. */
export function toCheck(values: TokenValues) {
  const { remain_quota, unlimited_quota, expired_time, models, subnet } = toInput(values)
  return { remain_quota, unlimited_quota, expired_time, models, subnet }
}
