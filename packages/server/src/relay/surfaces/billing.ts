import type { OptionsService } from '../../options/options-service.ts'
import type { TokensService } from '../../tokens/tokens-service.ts'
import type { RelayCaller } from '../caller/keys.ts'

/** OpenAI's former billing API, which many clients still use to query a balance. */
const UNLIMITED = 100_000_000

interface Needs {
  options: OptionsService
  tokens: TokensService
}

export type Billing = ReturnType<typeof createBilling>

export const createBilling = ({ options, tokens }: Needs) => {
  /** In dollars when the site shows currency, otherwise in points. */
  const shown = (quota: number) => {
    const { DisplayInCurrencyEnabled, QuotaPerUnit } = options.values()
    return DisplayInCurrencyEnabled ? quota / QuotaPerUnit : quota
  }

  const account = async (caller: RelayCaller) => {
    const { token, user } = await tokens.balances(caller.tokenId)
    if (!options.values().DisplayTokenStatEnabled) return { left: user.quota, used: user.used_quota, until: 0 }
    const until = Math.max(0, token.expired_time)
    if (token.unlimited_quota === 1) return { left: undefined, used: token.used_quota, until }
    return { left: token.remain_quota, used: token.used_quota, until }
  }

  return {
    async subscription(caller: RelayCaller) {
      const { left, used, until } = await account(caller)
      const limit = left === undefined ? UNLIMITED : shown(left + used)
      return {
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: limit,
        hard_limit_usd: limit,
        system_hard_limit_usd: limit,
        access_until: until,
      }
    },
    async usage(caller: RelayCaller) {
      const { used } = await account(caller)
      return { object: 'list', total_usage: shown(used) * 100 }
    },
  }
}
