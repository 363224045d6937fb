import {
  type ChannelConfig,
  ChannelStatus,
  commaList,
  headerName,
  isBaseUrl,
  parseProxy,
  type Received,
  stripTrailingSlash,
  type Text,
  type Warning,
  type warnings,
} from '@tollgate/contract'
import type { Prices } from '../catalog/prices.ts'
import { draftMapping, mappingOf } from '../channels/channel-fields.ts'
import type { ChannelKeysService } from '../channels/channel-keys-service.ts'
import type { ChannelsService } from '../channels/channels-service.ts'
import { parseDestination } from '../upstream/http.ts'
import type { IsReachable } from '../upstream/reachable.ts'
import { warning } from './warning-texts.ts'

interface Needs {
  channels: ChannelsService
  channelKeys: ChannelKeysService
  prices: Prices
  isReachable: IsReachable
}

type Change = Received<typeof warnings.channel>['body']

/** The same members of the stored channel; a new one has none. */
interface Before {
  type: number
  mapping: ReadonlyMap<string, string>
  config: ChannelConfig
  baseUrl: string
}

/** What saving this channel would break. What was already broken is not mentioned again. */
export const createChannelWarnings = ({ channels, channelKeys, prices, isReachable }: Needs) => {
  const orphans = async (id: number, change: Pick<Change, 'status' | 'group' | 'models'>) => {
    const offers = await channels.orphanedBy(id, change)
    return offers.length === 0 ? [] : [warning('channel.orphans', { offers, count: offers.length })]
  }

  const mappings = ({ type, mapping }: Before, change: Change) => {
    const offered = new Set(commaList(change.models ?? ''))
    const nowType = change.type ?? type
    if (OWN_NAMES.has(nowType)) return []
    return [...draftMapping(change.model_mapping ?? '')]
      .filter(([model, target]) => mapping.get(model) !== target && (change.models === undefined || offered.has(model)))
      .filter(([, target]) => prices.unpriced({ type: nowType, models: [target], mapping: new Map() }).length > 0)
      .map(([model, target]) => warning('channel.mapping', { model, target }))
  }

  const proxies = async ({ config }: Before, { proxy = '' }: Change) => {
    const address = proxy === '' || proxy === config.proxy ? undefined : parseProxy(proxy)
    return address === undefined || (await isReachable(address)) ? [] : [warning('channel.proxy', { proxy })]
  }

  const addresses = async ({ baseUrl, config }: Before, { base_url = '', proxy = config.proxy ?? '' }: Change) => {
    const address = stripTrailingSlash(base_url)
    const place = address === baseUrl || proxy !== '' ? undefined : placeOf(address)
    return place === undefined || (await isReachable(place)) ? [] : [warning('channel.address', { address })]
  }

  return {
    async ofChannel(change: Change): Promise<Warning[]> {
      const before = change.id === undefined ? NEW : asBefore(await channels.get(change.id))
      return [
        ...(change.id === undefined ? [] : await orphans(change.id, change)),
        ...mappings(before, change),
        ...headers(before, change),
        ...bodies(before, change),
        ...bodyValues(before, change),
        ...firstByte(before, change),
        ...(await addresses(before, change)),
        ...(await proxies(before, change)),
      ]
    },

    async ofKeys(id: number, ids: readonly number[]): Promise<Warning[]> {
      const { name, status, key_count } = await channels.get(id)
      if (status !== ChannelStatus.enabled || key_count === 0) return []
      if ((await channelKeys.enabledBeside(id, ids)) > 0) return []
      return [warning('channel.last_key', { name }), ...(await orphans(id, { status: ChannelStatus.disabled }))]
    },
  }
}

const NEW: Before = { type: 0, mapping: new Map(), config: {}, baseUrl: '' }

const asBefore = ({
  type,
  model_mapping,
  config,
  base_url,
}: {
  type: number
  model_mapping: string
  config: string
  base_url: string
}): Before => ({
  type,
  mapping: mappingOf(model_mapping),
  config: JSON.parse(config),
  baseUrl: base_url,
})

/** Undefined for the vendor's own address. What is no address is refused when it is saved. */
function placeOf(address: string) {
  if (!isBaseUrl(address)) return undefined
  const { host, portNumber: port } = parseDestination(address)
  return { host, port }
}

/** Azure's deployments, own servers, bots and endpoints have names that only the operator knows. */
const OWN_NAMES: ReadonlySet<number> = new Set([3, 8, 21, 22, 30, 34, 40])

const AZURE = 3
const ANTHROPIC = 14
const GEMINI = 24

/** Headers other than `authorization`, which is closed, in which vendors expect the key. */
const KEY_HEADERS: ReadonlyMap<string, number> = new Map([
  ['x-api-key', ANTHROPIC],
  ['api-key', AZURE],
  ['x-goog-api-key', GEMINI],
])

function headers({ type, config }: Before, change: Change): Warning[] {
  const nowType = change.type ?? type
  const had = new Set((config.header_rules ?? []).map(({ name, action }) => `${action} ${headerName(name)}`))
  return (change.header_rules ?? []).flatMap(({ name, action }) => {
    const header = headerName(name)
    if (had.has(`${action} ${header}`)) return []
    const keyOfType = KEY_HEADERS.get(header)
    // Other vendors' names may be set for a gateway in between.
    if (keyOfType !== undefined && (action === 'remove' || keyOfType === nowType)) {
      return [warning('channel.key_header', { name, action })]
    }
    const isNeeded = nowType === ANTHROPIC && header === 'anthropic-version' && action === 'remove'
    return isNeeded ? [warning('channel.needed_header', { name })] : []
  })
}

/** A prompt or a part of it; Anthropic answers nothing without `max_tokens`. */
const PROMPT_PATH = /^(?:prompt$|(?:messages|input|contents|prompt)\.)/i

function bodies({ type, config }: Before, change: Change) {
  const had = removed(config.body_rules ?? [], ({ path }) => path)
  const isNeeded = (path: string) =>
    PROMPT_PATH.test(path) || ((change.type ?? type) === ANTHROPIC && path === 'max_tokens')
  return (change.body_rules ?? [])
    .filter(({ path, action }) => action === 'remove' && isNeeded(path.trim()) && !had.has(path.trim()))
    .map(({ path }) => warning('channel.body_rule', { path }))
}

/** Values that vendors accept for members that most of them know. */
const NUMBERS = new Map<string, { min: number; max?: number; whole?: true }>([
  ['temperature', { min: 0, max: 2 }],
  ['top_p', { min: 0, max: 1 }],
  ['presence_penalty', { min: -2, max: 2 }],
  ['frequency_penalty', { min: -2, max: 2 }],
  ['max_tokens', { min: 1, whole: true }],
  ['max_completion_tokens', { min: 1, whole: true }],
  ['max_output_tokens', { min: 1, whole: true }],
  ['n', { min: 1, whole: true }],
])

function bodyValues({ config }: Before, change: Change): Warning[] {
  const had = new Set((config.body_rules ?? []).map(({ path, value }) => `${path} ${value}`))
  return (change.body_rules ?? []).flatMap(({ path: typed, action, value = '' }) => {
    const path = typed.trim()
    const bounds = NUMBERS.get(path)
    if (bounds === undefined || action === 'remove' || had.has(`${path} ${value}`)) return []
    const number = Number(value)
    const { min, max = Number.POSITIVE_INFINITY, whole } = bounds
    const isNumber = /^-?[\d.]+(e[+-]?\d+)?$/i.test(value.trim())
    const isFine = isNumber && number >= min && number <= max && (!whole || Number.isInteger(number))
    return isFine
      ? []
      : [warning('channel.body_value', { path, value: value.slice(0, 40), expected: boundsText(bounds) })]
  })
}

const boundsText = ({ min, max, whole }: { min: number; max?: number; whole?: true }): Text =>
  max === undefined
    ? {
        zh: `不小于 ${min} 的${whole ? '整数' : '数'}`,
        en: `a ${whole ? 'whole number' : 'number'} of at least ${min}`,
      }
    : { zh: `${min} 到 ${max} 的数`, en: `a number from ${min} to ${max}` }

const removed = <Rule extends { action: string }>(rules: readonly Rule[], nameOf: (rule: Rule) => string) =>
  new Set(rules.filter(({ action }) => action === 'remove').map(nameOf))

/** Reasoning models take longer than this before their first output. */
const FIRST_BYTE_LOW_SEC = 5

function firstByte({ config }: Before, { first_byte_timeout: seconds }: Change) {
  if (seconds === undefined || seconds >= FIRST_BYTE_LOW_SEC || seconds === config.first_byte_timeout) return []
  return [warning('channel.first_byte', { seconds })]
}
