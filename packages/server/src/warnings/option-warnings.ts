import {
  ChannelStatus,
  channelType,
  isOptionKey,
  OPTIONS,
  type OptionKey,
  type OptionValues,
  type Text,
  WARNED_OPTIONS,
  type Warning,
} from '@tollgate/contract'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { createPriceBook } from '../catalog/prices.ts'
import type { Snapshot } from '../catalog/snapshot.ts'
import type { ChannelsService } from '../channels/channels-service.ts'
import { micros } from '../ledger/rounding.ts'
import type { OptionsService } from '../options/options-service.ts'
import { modelBehind } from '../relay/models/aliases.ts'
import { freshSnapshot } from '../routes/route-query.ts'
import { smallestHold } from './smallest-hold.ts'
import { warning } from './warning-texts.ts'

interface Needs {
  catalog: CatalogService
  channels: Pick<ChannelsService, 'states'>
  options: OptionsService
  /** Of ordinary users. */
  largestBalance(): Promise<number | undefined>
  amountText(quota: number): Text
}

/** What breaks when a setting gets this value: found by comparing how it is with how it would be. */
export const createOptionWarnings = ({ catalog, channels, options, largestBalance, amountText }: Needs) => {
  const priceOf = async (now: OptionValues, next: OptionValues, snapshot: Snapshot) => {
    const after = cheapest(next, snapshot)
    if (after === undefined) return []
    const balance = await largestBalance()
    if (balance === undefined) return []
    const before = cheapest(now, snapshot)
    if (after.quota <= balance || (before !== undefined && before.quota > balance)) return []
    return [warning('option.price', { model: after.model, amount: amountText(after.quota) })]
  }

  const proxyPrice = async (now: OptionValues, next: OptionValues, { routes }: Snapshot) => {
    const balance = await largestBalance()
    if (balance === undefined || next.ProxyCallPrice <= balance || now.ProxyCallPrice > balance) return []
    const hasProxies = [...routes.values()].some(
      ({ status, type }) => status === ChannelStatus.enabled && channelType(type)?.hasModels === false,
    )
    return hasProxies ? [warning('option.proxy_price', { amount: amountText(next.ProxyCallPrice) })] : []
  }

  const slowChannels = async ({
    AutomaticDisableChannelEnabled: isOn,
    ChannelDisableThreshold: limit,
  }: OptionValues) => {
    if (!isOn || limit <= 0) return []
    const tested = (await channels.states()).filter(
      ({ status, response_time }) => status === ChannelStatus.enabled && response_time > 0,
    )
    if (tested.length === 0 || tested.some(({ response_time }) => response_time <= limit * 1000)) return []
    return [warning('option.slow_channels', { count: tested.length })]
  }

  return async ({ key, value }: { key: string; value: string }): Promise<Warning[]> => {
    if (!isOptionKey(key)) return []
    const parsed = OPTIONS[key].schema.safeParse(value)
    // An invalid value is refused when it is saved.
    if (!parsed.success) return []
    const snapshot = await freshSnapshot(catalog)
    const now = options.values()
    const next: OptionValues = { ...now, [key]: parsed.data }
    if (key === 'ModelAliases') return aliases(now, next, snapshot)
    if (key === 'ModelFallbacks') return fallbacks(now, next, snapshot)
    if (SPEED.has(key)) return slowChannels(next)
    if (key === 'ProxyCallPrice') return proxyPrice(now, next, snapshot)
    return WARNED_OPTIONS.some((warned) => warned === key) ? priceOf(now, next, snapshot) : []
  }
}

const SPEED: ReadonlySet<OptionKey> = new Set(['AutomaticDisableChannelEnabled', 'ChannelDisableThreshold'])

function cheapest(values: OptionValues, snapshot: Snapshot) {
  const book = createPriceBook(values)
  const pricing = { prices: () => book, groupFactor: (group: string) => micros(values.GroupRatio.get(group) ?? 1) }
  return smallestHold({ snapshot, pricing, outputTokens: values.PreConsumedQuota }, {})
}

function aliases(now: OptionValues, next: OptionValues, snapshot: Snapshot) {
  const had = new Map(aliasRows(now))
  return aliasRows(next)
    .filter(([alias, model]) => had.get(alias) !== model)
    .flatMap(([alias, model]) => {
      if (!isOffered(snapshot, model)) return [warning('option.alias', { alias, model, groups: [] })]
      const groups = groupsThatLose(alias, { now, next, snapshot })
      return groups.length === 0 ? [] : [warning('option.alias', { alias, model, groups })]
    })
}

/** Groups that are offered what the name stands for now, and not what it would stand for. */
function groupsThatLose(
  name: string,
  { now, next, snapshot }: { now: OptionValues; next: OptionValues; snapshot: Snapshot },
) {
  const groups = new Set([...snapshot.routes.values()].flatMap((route) => [...route.groups]))
  return [...groups].filter((group) => {
    const isOfferedTo = (model: string) => snapshot.offers(group, model).length > 0
    const answers = ({ ModelAliases }: OptionValues) => isOfferedTo(modelBehind(name, ModelAliases, isOfferedTo))
    return answers(now) && !answers(next)
  })
}

const aliasRows = ({ ModelAliases: { exact, patterns } }: OptionValues): (readonly [string, string])[] => [
  ...exact,
  ...patterns.map(({ pattern, model }) => [pattern, model] as const),
]

function fallbacks(now: OptionValues, next: OptionValues, snapshot: Snapshot) {
  const had = now.ModelFallbacks
  const isKnown = (name: string) => isOffered(snapshot, name)
  const answers = (name: string) => isKnown(modelBehind(name, next.ModelAliases, isKnown))
  return [...next.ModelFallbacks]
    .filter(([model, { to }]) => had.get(model)?.to.join() !== to.join() && !to.some(answers))
    .map(([model]) => warning('option.fallback', { model }))
}

const isOffered = ({ routes }: Snapshot, model: string) =>
  [...routes.values()].some(({ status, models }) => status === ChannelStatus.enabled && models.has(model))
