import { Defaults, type OptionKey, type OptionValues } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'

/** A switch that would not work stays off until its prerequisites are set. An empty secret means "off". */
const NEEDS: Partial<Record<OptionKey, readonly OptionKey[]>> = {
  GitHubOAuthEnabled: ['GitHubClientId'],
  WeChatAuthEnabled: ['WeChatServerAddress'],
  TurnstileCheckEnabled: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  EmailDomainRestrictionEnabled: ['EmailDomainWhitelist'],
}

export const refuseUnready = (key: OptionKey, value: unknown, current: OptionValues) => {
  if (key === 'GroupRatio' && value instanceof Map && !value.has(Defaults.group)) {
    throw new GatewayError('option.keeps_default_group')
  }
  if (value !== true) return
  const missing = NEEDS[key]?.find((needed) => isEmpty(current[needed]))
  if (missing !== undefined) throw new GatewayError('option.needs', { needed: missing })
}

function isEmpty(value: OptionValues[OptionKey]) {
  return value === '' || (Array.isArray(value) && value.length === 0)
}
