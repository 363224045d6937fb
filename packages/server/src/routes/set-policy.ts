import { type RoutingRule, ruleFor, rulesIn } from '@tollgate/contract'
import type { By } from '../audit/audit-service.ts'
import { GatewayError, type Language } from '../common/errors.ts'
import type { OptionsService } from '../options/options-service.ts'

const KEY = 'RoutingPolicies'
/** Others who set another rule at the same moment. */
const TRIES_MAX = 10
const DEFAULT: Choice = { policy: 'in_order', affinity: false }

type Choice = Pick<RoutingRule, 'policy' | 'affinity'>

/** Changes one rule of the option. A rule equal to the default is kept: it may override a wider one. */
export const createSetPolicy =
  ({ options }: { options: OptionsService }) =>
  async (by: By & { language: Language }, { seen, ...rule }: RoutingRule & { seen?: Choice | undefined }) => {
    for (let tries = 1; ; tries++) {
      options.forget()
      await options.refresh()
      const table = options.values()[KEY]
      const now = ruleFor(table, rule.group, rule.model) ?? DEFAULT
      if (seen !== undefined && !isSame(now, seen) && !isSame(now, rule))
        throw new GatewayError('option.changed_meanwhile', { key: KEY, field: KEY })
      const rules = rulesIn(table)
      const at = rules.findIndex(({ group, model }) => group === rule.group && model === rule.model)
      rules.splice(at === -1 ? rules.length : at, 1, rule)
      try {
        const change = { key: KEY, value: JSON.stringify(rules), base: options.textOf(KEY) }
        return await options.update(by, change, by.language)
      } catch (error) {
        const isRace = error instanceof GatewayError && error.code === 'option.changed_meanwhile'
        if (!isRace || tries >= TRIES_MAX) throw error
      }
    }
  }

const isSame = (one: Choice, other: Choice) => one.policy === other.policy && one.affinity === other.affinity
