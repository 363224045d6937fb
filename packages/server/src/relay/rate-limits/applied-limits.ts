import { type GroupRateLimits, RATE_LIMIT_KINDS, type RateLimit, type RateLimits } from '@tollgate/contract'
import type { LimitClaim } from '../../limits/counter.ts'

/** The owner of a limit. */
export type LimitScope = 'key' | 'user' | 'group'

/** One limit that applies to a call, and the amount that it takes: one call, or its tokens once they are known. */
export interface AppliedLimit extends LimitClaim {
  scope: LimitScope
  /** Empty when it covers all models. */
  model: string
  of: keyof RateLimit
}

/** The limits of an owner, and the key under which they are counted. */
export interface LimitsOf {
  scope: LimitScope
  owner: string
  limits: RateLimits
}

/** Those that hold for work with these models. */
export const appliedLimits = (all: readonly LimitsOf[], names: readonly string[]): AppliedLimit[] => {
  const applied: AppliedLimit[] = []
  for (const one of all) {
    const { models } = one.limits
    addLimits(applied, one, one.limits, '')
    if (models === undefined) continue
    for (const model of names) {
      const own = Object.hasOwn(models, model) ? models[model] : undefined
      if (own !== undefined) addLimits(applied, one, own, model)
    }
  }
  return applied
}

/** One row of limits as counters. */
export const limitsIn = (of: LimitsOf, limits: RateLimit, model: string): AppliedLimit[] => {
  const found: AppliedLimit[] = []
  addLimits(found, of, limits, model)
  return found
}

/** Into one list for all rows: every call with limits for its model makes one. */
function addLimits(found: AppliedLimit[], { scope, owner }: LimitsOf, limits: RateLimit, model: string) {
  for (const of of RATE_LIMIT_KINDS) {
    const limit = limits[of]
    if (limit === undefined) continue
    const key = model === '' ? `${owner}:${of}` : `${owner}:${of}:${model}`
    found.push({ scope, model, of, limit, key, kind: of === 'concurrency' ? 'open' : 'minute', amount: 1 })
  }
}

export const keyOwner = (tokenId: number) => `key:${tokenId}`
export const userOwner = (userId: number) => `user:${userId}`

/**
 * A group's limits apply to each of its users separately, unless the operator wants them to apply to all users together.
 */
export const groupOwner = (userId: number, group: string, { together }: GroupRateLimits) =>
  together === true ? `together:${group}` : `group:${userId}:${group}`
