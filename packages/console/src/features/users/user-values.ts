import { commaList, Defaults, Limits, type RateLimits, type User } from '@tollgate/contract'
import { changedMembers } from '../../lib/forms/changed-members.ts'

/** The form values: an empty password keeps the stored one, the groups are a list. */
export interface UserValues {
  username: string
  display_name: string
  password: string
  group: string[]
  quota: number
  /** The balance shown when the form opened, whatever was spent since. */
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

/** A balance may be slightly negative after a call; a form never sets one. */
const shownQuota = ({ quota }: User) => Math.max(0, quota)

export const isShortPassword = (password: string) => password !== '' && [...password].length < Limits.passwordMin

/** The part shared by both forms. An empty password is not sent. */
export const profileInput = ({ username, display_name, password }: UserValues) => ({
  username: username.trim(),
  display_name: display_name.trim(),
  ...(password === '' ? {} : { password }),
})

/** What an administrator changed. An untouched balance is not sent: it may have changed meanwhile. */
export function toEdit(values: UserValues, user: User) {
  const before = { ...profileInput(toValues(user)), ...adminInput(toValues(user)) }
  const { quota_base, ...after } = { ...profileInput(values), ...adminInput(values) }
  const changed = changedMembers<Partial<typeof before>>(before, after)
  return { ...changed, ...(changed.quota !== undefined && { quota_base }) }
}

/** The administrator's additional fields: the quota with the one that was shown, so that spending is not undone. */
export const adminInput = ({ group, quota, quota_base, rate_limits }: UserValues) => ({
  group: group.length === 0 ? Defaults.group : group.join(','),
  quota: Math.trunc(quota),
  quota_base,
  rate_limits,
})
