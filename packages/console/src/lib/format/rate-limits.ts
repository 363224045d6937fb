import { RATE_LIMIT_KINDS, type RateLimit, type RateLimits, strictest } from '@tollgate/contract'

/** The limits with one of them changed; an emptied field means no limit. */
export const withLimit = <Limits extends RateLimit>(
  limits: Limits,
  kind: keyof RateLimit,
  amount: number | '',
): Limits => {
  const { [kind]: _, ...others } = limits
  // The omitted members are optional in both types.
  return (amount === '' ? others : { ...others, [kind]: amount }) as Limits
}

export const withModel = (limits: RateLimits, model: string, limit: RateLimit): RateLimits => ({
  ...limits,
  models: { ...limits.models, [model]: limit },
})

export const withoutModel = ({ models = {}, ...limits }: RateLimits, model: string): RateLimits => {
  const left = Object.entries(models).filter(([name]) => name !== model)
  return left.length === 0 ? limits : { ...limits, models: Object.fromEntries(left) }
}

/** The limits of a key: its owner's, and an administrator's. */
export interface KeyLimits {
  rate_limits: RateLimits
  admin_rate_limits: RateLimits
}

/** What applies to a key, whoever set it. */
export const limitsOf = (key: KeyLimits) => strictest(key.rate_limits, key.admin_rate_limits)

export const isLimited = (limits: RateLimits) =>
  RATE_LIMIT_KINDS.some((kind) => limits[kind] !== undefined) || Object.keys(limits.models ?? {}).length > 0
