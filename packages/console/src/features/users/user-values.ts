import { commaList, Defaults, Limits, type RateLimits, type User } from '@tollgate/contract'

/** The form's own shape: an empty password keeps the stored one, the groups are a list. */
export interface UserValues {
  username: string
  display_name: string
  password: string
  group: string[]
  quota: number
  /** The balance that was shown when the form opened, whatever has been spent since. */
  quota_base: number
  rate_limits: RateLimits
}

export const toValues = (user: User): UserValues => ({
  username: user.username,
  display_name: user.display_name,
  password: '',
  group: commaList(user.group),
  quota: shownQuota(user),
  quota_base: shownQuota(user),
  rate_limits: user.rate_limits,
})

/** A balance may be slightly below zero after a call; nobody edits it to there. */
const shownQuota = ({ quota }: User) => Math.max(0, quota)

export const isShortPassword = (password: string) => password !== '' && [...password].length < Limits.passwordMin

/** What both forms send. A password that was not typed is not sent. */
export const profileInput = ({ username, display_name, password }: UserValues) => ({
  username: username.trim(),
  display_name: display_name.trim(),
  ...(password === '' ? {} : { password }),
})

/** What an administrator's form sends besides: the quota with the one that was shown, so that spending is not undone. */
export const standingInput = ({ group, quota, quota_base, rate_limits }: UserValues) => ({
  group: group.length === 0 ? Defaults.group : group.join(','),
  quota: Math.trunc(quota),
  quota_base,
  rate_limits,
})
