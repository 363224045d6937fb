import { type GroupRateLimits, RATE_LIMIT_KINDS, type RateLimit, type RateLimits } from '@tollgate/contract'
import type { Counter } from '../../limits/counter.ts'

/** Whose limit it is. */
export type LimitScope = 'key' | 'user' | 'group'

/** One limit that holds for a call. */
export interface AppliedLimit extends Counter {
  scope: LimitScope
  /** Empty where it is for all models together. */
  model: string
  of: keyof RateLimit
}

/** Somebody's limits, and under which name their use is counted. */
export interface LimitsOf {
  scope: LimitScope
  owner: string
  limits: RateLimits
}

/** Those that hold for a call of this model. */
export const appliedLimits = (all: readonly LimitsOf[], model: string): AppliedLimit[] =>
  all.flatMap((one) => {
    const { models } = one.limits
    const own = models !== undefined && Object.hasOwn(models, model) ? models[model] : undefined
    return own === undefined
      ? limitsIn(one, one.limits, '')
      : [...limitsIn(one, one.limits, ''), ...limitsIn(one, own, model)]
  })

/** One row of limits as counters. */
export const limitsIn = ({ scope, owner }: LimitsOf, limits: RateLimit, model: string): AppliedLimit[] =>
  RATE_LIMIT_KINDS.flatMap((of) => {
    const limit = limits[of]
    if (limit === undefined) return []
    const key = `${owner}:${of}${model === '' ? '' : `:${model}`}`
    return [{ scope, model, of, limit, key, kind: of === 'concurrency' ? 'open' : 'minute' }]
  })

export const keyOwner = (tokenId: number) => `key:${tokenId}`
export const userOwner = (userId: number) => `user:${userId}`

/**
 * A group's limits hold for each of its users, so that none of them uses up what another one has; unless the operator wants
 * them to hold for all of them together.
 */
export const groupOwner = (userId: number, group: string, { together }: GroupRateLimits) =>
  together === true ? `together:${group}` : `group:${userId}:${group}`
