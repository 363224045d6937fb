import {
  bareHost,
  bodyRuleFault,
  ChannelConfig,
  CONNECT_TIMEOUT_MAX,
  channelType,
  commaList,
  FIRST_BYTE_TIMEOUT_MAX,
  headerRuleFault,
  isRegion,
  KeyOrder,
  parseProxy,
  placeMembers,
  RULES_MAX,
  stripTrailingSlash,
} from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import { refusedMember } from '../common/validation.ts'
import { isAllowed, isForbiddenName } from '../upstream/addresses.ts'

/*
 * Parsing and validation of a channel's text fields: each function takes what a client sent and returns what is stored.
 */

export const cleanBaseUrl = (text: string) => {
  const url = stripTrailingSlash(text.trim())
  if (url === '') return url
  refuseClosed(bareHost(new URL(url)), 'channel.closed_address')
  return url
}

const refuseClosed = (host: string, code: 'channel.closed_address' | 'channel.closed_proxy') => {
  const literal = /^[\d.]+$/.test(host) || host.includes(':')
  // Host names are checked again when a connection is made; this is the early, friendly error.
  if (isForbiddenName(host) || (literal && !isAllowed(host, 'admin'))) throw new GatewayError(code)
}

export const cleanModels = (type: number, text: string) => {
  const models = commaList(text)
  if (models.length === 0 && channelType(type)?.hasModels !== false) throw new GatewayError('channel.model_required')
  return models.join(',')
}

export const cleanGroups = (text: string) => {
  const groups = commaList(text)
  if (groups.length === 0) throw new GatewayError('channel.group_required')
  return groups.join(',')
}

/** JSON text of an object from name to name, or empty. */
export const cleanMapping = (text: string) => {
  const value = parsed(text, 'channel.bad_mapping')
  if (value === undefined) return ''
  if (!Object.values(value).every((name) => typeof name === 'string')) throw new GatewayError('channel.bad_mapping')
  return text.trim()
}

/** What a stored mapping says. A name that is mapped to nothing stays itself: no provider has a model without a name. */
export const mappingOf = (text: string): ReadonlyMap<string, string> => {
  const entries: [string, string][] = Object.entries(text === '' ? {} : JSON.parse(text))
  return new Map(entries.filter(([, to]) => to !== ''))
}

/** What a mapping in a form says so far; an incomplete one, which saving would refuse, says nothing. */
export const draftMapping = (text: string): ReadonlyMap<string, string> => {
  try {
    return mappingOf(cleanMapping(text))
  } catch (error) {
    if (error instanceof GatewayError) return new Map()
    throw error
  }
}

export const cleanConfig = (text: string): ChannelConfig => {
  const value = parsed(text, 'channel.bad_config')
  if (value === undefined) return {}
  const config = ChannelConfig.safeParse(value, { reportInput: true })
  if (config.success) return config.data
  const field = String(config.error.issues[0]?.path[0])
  const max = TIMEOUTS_MAX.get(field)
  if (max !== undefined) throw new GatewayError('channel.bad_timeout', { max, field })
  throw refusedMember(config.error, '/api/channel/') ?? new GatewayError('channel.bad_config')
}

const TIMEOUTS_MAX = new Map<string, number>([
  ['connect_timeout', CONNECT_TIMEOUT_MAX],
  ['first_byte_timeout', FIRST_BYTE_TIMEOUT_MAX],
])

/** The proxy sees where calls go, so it has to pass the same guard. */
export const checkProxy = ({ proxy = '' }: ChannelConfig) => {
  if (proxy === '') return
  const parsed = parseProxy(proxy)
  if (parsed === undefined) throw new GatewayError('channel.bad_proxy')
  refuseClosed(parsed.host, 'channel.closed_proxy')
}

/** A region becomes part of the host that the key is sent to. */
export const checkRegion = (type: number, { region = '' }: ChannelConfig) => {
  if (region !== '' && placeMembers(type).includes('region') && !isRegion(region))
    throw new GatewayError('channel.bad_region')
}

/** Validates header and body rules, after stored values were merged in. */
export const checkRules = (type: number, { header_rules = [], body_rules = [] }: ChannelConfig) => {
  if (header_rules.length + body_rules.length > RULES_MAX) {
    throw new GatewayError('channel.too_many_rules', { max: RULES_MAX })
  }
  const fault = headerRuleFault(header_rules) ?? bodyRuleFault(type, body_rules)
  if (fault !== undefined) throw new GatewayError(fault.code, { name: fault.name })
}

/** The default of a type's free field when it is left empty. */
export const cleanOther = (type: number, text: string) => {
  const field = channelType(type)?.fields.find(({ name }) => name === 'other')
  return text.trim() === '' ? (field?.default ?? '') : text.trim()
}

/** Older consoles send the texts `""` and `null` for "nothing". */
function parsed(text: string, code: 'channel.bad_mapping' | 'channel.bad_config'): object | undefined {
  if (['', '""', 'null'].includes(text.trim())) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new GatewayError(code)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new GatewayError(code)
  return value
}

/** An unknown value, written by hand, means the default. */
export const keyOrderOf = (text: string): KeyOrder => KeyOrder.safeParse(text).data ?? 'round_robin'
