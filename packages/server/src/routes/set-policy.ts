import { type RoutingRule, rulesIn } from '@tollgate/contract'
import type { By } from '../audit/audit-service.ts'
import type { Language } from '../common/errors.ts'
import type { OptionsService } from '../options/options-service.ts'

/** Changes one rule of the option. A rule equal to the default is kept: it may override a wider one. */
export const createSetPolicy =
  ({ options }: { options: OptionsService }) =>
  async (by: By & { language: Language }, rule: RoutingRule) => {
    options.forget()
    await options.refresh()
    const rules = rulesIn(options.values().RoutingPolicies)
    const at = rules.findIndex(({ group, model }) => group === rule.group && model === rule.model)
    rules.splice(at === -1 ? rules.length : at, 1, rule)
    await options.update(by, { key: 'RoutingPolicies', value: JSON.stringify(rules) }, by.language)
  }
