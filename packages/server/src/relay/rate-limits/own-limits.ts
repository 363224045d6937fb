import { commaList, Defaults, type GroupRateLimits, type OwnRateLimits, type RateLimitUse } from '@tollgate/contract'
import type { Actor } from '../../common/actor.ts'
import type { CallCounts } from '../../limits/call-counts.ts'
import { type CounterState, MINUTE_MS } from '../../limits/counter.ts'
import { storedRateLimits } from '../../limits/stored-rate-limits.ts'
import type { OptionsService } from '../../options/options-service.ts'
import type { TokensService } from '../../tokens/tokens-service.ts'
import type { AccountsService } from '../../users/accounts-service.ts'
import { type AppliedLimit, groupOwner, keyOwner, type LimitsOf, limitsIn, userOwner } from './applied-limits.ts'

interface Needs {
  counts: CallCounts
  accounts: AccountsService
  tokens: TokensService
  options: OptionsService
}

/** Each of them may have limits for several models. */
const TOKENS_MAX = 100

interface Named extends LimitsOf {
  name: string
  token_id: number
}

export type OwnLimits = ReturnType<typeof createOwnLimits>

/** A user's rate limits and their current use. */
export const createOwnLimits = ({ counts, accounts, tokens, options }: Needs) => {
  const limitsOf = async ({ id }: Actor): Promise<Named[]> => {
    const user = await accounts.find(id)
    const group = commaList(user?.group ?? '')[0] ?? Defaults.group
    const own = storedRateLimits(user?.rate_limits ?? '')
    const ofGroup = options.values().GroupRateLimits.get(group) ?? {}
    const limited = await tokens.limited(id, TOKENS_MAX)
    return [
      { scope: 'user', name: '', token_id: 0, owner: userOwner(id), limits: own },
      { scope: 'group', name: group, token_id: 0, owner: groupOwner(id, group, ofGroup), limits: ofGroup },
      ...limited.map((token) => ({
        ...{ scope: 'key' as const, name: token.name, token_id: token.id },
        ...{ owner: keyOwner(token.id), limits: token.rate_limits },
      })),
    ]
  }

  return async (actor: Actor): Promise<OwnRateLimits> => {
    const rows = (await limitsOf(actor)).flatMap(rowsOf).filter(({ counters }) => counters.length > 0)
    const states = await counts.read(rows.flatMap(({ counters }) => counters))
    let at = 0
    const limits = rows.map(({ counters, ...row }): RateLimitUse => {
      const uses = counters.map((counter) => [counter.of, useOf(counter, states[at++] ?? 0)])
      return { ...row, ...Object.fromEntries(uses) }
    })
    return { shared: counts.isShared(), limits }
  }
}

/** One row for all models together, and one for each with limits of its own. */
function rowsOf({ name, token_id, ...of }: Named) {
  const { models = {}, together, ...all }: GroupRateLimits = of.limits
  return [['', all] as const, ...Object.entries(models)].map(([model, limits]) => ({
    ...{ scope: of.scope, together: together === true, name, token_id, model },
    counters: limitsIn(of, limits, model),
  }))
}

/** For a refilling limit, what is currently missing is in use. */
function useOf({ kind, limit }: AppliedLimit, state: CounterState) {
  const used = kind === 'open' ? state : Math.ceil((limit * state) / MINUTE_MS - 0.001)
  return { limit, used: Math.max(0, used) }
}
