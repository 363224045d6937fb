import {
  type ChannelConfig,
  ChannelStatus,
  commaList,
  headerName,
  type ProxyAddress,
  parseProxy,
  type Received,
  type Warning,
  type warnings,
} from '@tollgate/contract'
import type { Prices } from '../catalog/prices.ts'
import { cleanMapping, mappingOf } from '../channels/channel-fields.ts'
import type { ChannelKeysService } from '../channels/channel-keys-service.ts'
import type { ChannelsService } from '../channels/channels-service.ts'
import { GatewayError } from '../common/errors.ts'
import { warning } from './warning-texts.ts'

interface Needs {
  channels: ChannelsService
  channelKeys: ChannelKeysService
  prices: Prices
  reachesProxy(proxy: ProxyAddress): Promise<boolean>
}

type Change = Received<typeof warnings.channel>['body']

/** The same members of the stored channel; a new one has none. */
interface Before {
  type: number
  mapping: ReadonlyMap<string, string>
  config: ChannelConfig
}

/** What breaks when a channel is saved so. What was already so is not mentioned again. */
export const createChannelWarnings = ({ channels, channelKeys, prices, reachesProxy }: Needs) => {
  const orphans = async (id: number, change: Pick<Change, 'status' | 'group' | 'models'>) => {
    const offers = await channels.orphanedBy(id, change)
    return offers.length === 0 ? [] : [warning('channel.orphans', { offers, count: offers.length })]
  }

  const mappings = ({ type, mapping }: Before, change: Change) => {
    const offered = new Set(commaList(change.models ?? ''))
    const nowType = change.type ?? type
    if (OWN_NAMES.has(nowType)) return []
    return [...mappingIn(change.model_mapping)]
      .filter(([model, target]) => mapping.get(model) !== target && (change.models === undefined || offered.has(model)))
      .filter(([, target]) => prices.unpriced({ type: nowType, models: [target], mapping: new Map() }).length > 0)
      .map(([model, target]) => warning('channel.mapping', { model, target }))
  }

  const proxies = async ({ config }: Before, { proxy = '' }: Change) => {
    const address = proxy === '' || proxy === config.proxy ? undefined : parseProxy(proxy)
    return address === undefined || (await reachesProxy(address)) ? [] : [warning('channel.proxy', { proxy })]
  }

  return {
    async ofChannel(change: Change): Promise<Warning[]> {
      const before = change.id === undefined ? NEW : asBefore(await channels.get(change.id))
      return [
        ...(change.id === undefined ? [] : await orphans(change.id, change)),
        ...mappings(before, change),
        ...headers(before, change),
        ...bodies(before, change),
        ...firstByte(before, change),
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

const NEW: Before = { type: 0, mapping: new Map(), config: {} }

const asBefore = ({
  type,
  model_mapping,
  config,
}: {
  type: number
  model_mapping: string
  config: string
}): Before => ({
  type,
  mapping: mappingOf(model_mapping),
  config: JSON.parse(config),
})

/** Azure's deployments, own servers, bots and endpoints have names that only the operator knows. */
const OWN_NAMES: ReadonlySet<number> = new Set([3, 8, 21, 22, 30, 34, 40])

/** An incomplete mapping is refused when it is saved. */
function mappingIn(text = ''): ReadonlyMap<string, string> {
  try {
    return mappingOf(cleanMapping(text))
  } catch (error) {
    if (error instanceof GatewayError) return new Map()
    throw error
  }
}

/** Headers other than `authorization`, which is closed, in which vendors expect the key. */
const KEY_HEADERS: ReadonlySet<string> = new Set(['x-api-key', 'api-key', 'x-goog-api-key'])

function headers({ config }: Before, { header_rules = [] }: Change) {
  const had = removed(config.header_rules ?? [], ({ name }) => headerName(name))
  return header_rules
    .filter(
      ({ name, action }) => action === 'remove' && KEY_HEADERS.has(headerName(name)) && !had.has(headerName(name)),
    )
    .map(({ name }) => warning('channel.key_header', { name }))
}

/** A prompt or a part of it; Anthropic answers nothing without `max_tokens`. */
const PROMPT_PATH = /^(?:prompt$|(?:messages|input|contents|prompt)\.)/i
const ANTHROPIC = 14

function bodies({ type, config }: Before, change: Change) {
  const had = removed(config.body_rules ?? [], ({ path }) => path)
  const isNeeded = (path: string) =>
    PROMPT_PATH.test(path) || ((change.type ?? type) === ANTHROPIC && path === 'max_tokens')
  return (change.body_rules ?? [])
    .filter(({ path, action }) => action === 'remove' && isNeeded(path.trim()) && !had.has(path.trim()))
    .map(({ path }) => warning('channel.body_rule', { path }))
}

const removed = <Rule extends { action: string }>(rules: readonly Rule[], nameOf: (rule: Rule) => string) =>
  new Set(rules.filter(({ action }) => action === 'remove').map(nameOf))

/** Models that think take longer than this before they write. */
const FIRST_BYTE_LOW_SEC = 5

function firstByte({ config }: Before, { first_byte_timeout: seconds }: Change) {
  if (seconds === undefined || seconds >= FIRST_BYTE_LOW_SEC || seconds === config.first_byte_timeout) return []
  return [warning('channel.first_byte', { seconds })]
}
