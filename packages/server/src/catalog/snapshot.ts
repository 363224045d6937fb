import {
  type BodyRule,
  type ChannelConfig,
  ChannelStatus,
  Defaults,
  type FailureEnd,
  type HeaderRule,
  type ProxyAddress,
  parseProxy,
} from '@tollgate/contract'
import { type Access, type Provider, providerOf } from '@tollgate/providers'
import type { RoutableChannel, RoutableKey, RoutablePool } from './routable-channel.ts'

/** A channel as routing sees it. */
export interface Route {
  id: number
  name: string
  type: number
  status: number
  priority: number
  weight: number
  models: ReadonlySet<string>
  groups: ReadonlySet<string>
  mapping: ReadonlyMap<string, string>
  systemPrompt: string
  testModel: string
  provider: Provider | undefined
  access: Access
  /** The keys of which each call uses one; undefined when `access` has the only one. */
  pool: RoutablePool | undefined
  /** The pool key in `access`; undefined without a pool. */
  poolKey: Pick<RoutableKey, 'id' | 'hint'> | undefined
  /** Header and body rules; undefined when there are none. */
  rules: RequestRules | undefined
  /** How its vendor is reached; empty for the default. */
  network: Network
  /** Timeout for the first byte; undefined for the default. */
  firstByteTimeoutMs: number | undefined
  /** Failures that do not count against the channel; undefined when all do. */
  ignoredFailures: ReadonlySet<FailureEnd> | undefined
}

export interface Network {
  connectTimeoutMs?: number
  proxy?: NetworkProxy
}

export interface NetworkProxy extends ProxyAddress {
  user: string
  password: string
}

export interface RequestRules {
  headers: readonly HeaderRule[]
  body: readonly BodyRule[]
}

/** Channels × groups × models, as one immutable value. */
export interface Snapshot {
  routes: ReadonlyMap<number, Route>
  /** The enabled routes that offer a model to a group, in tiers of one priority, highest first. */
  offers(group: string, model: string): readonly PriorityTier[]
  modelsOf(groups: readonly string[]): string[]
  /** Whether a channel that would offer the model to one of the groups is disabled because it failed. */
  isOut(groups: readonly string[], model: string): boolean
}

export type PriorityTier = readonly Choice[]

/** A route, and the group whose price applies. */
export interface Choice {
  route: Route
  group: string
}

export const buildSnapshot = (channels: readonly RoutableChannel[]): Snapshot =>
  snapshotOf(new Map(channels.map((channel) => [channel.id, routeOf(channel)])))

export const snapshotOf = (routes: ReadonlyMap<number, Route>): Snapshot => {
  const offers = new Map<string, Map<string, Choice[][]>>()
  const enabled = [...routes.values()].filter((route) => route.status === 1)
  for (const route of enabled.sort((one, other) => other.priority - one.priority || one.id - other.id)) {
    for (const group of route.groups) {
      const models = offers.get(group) ?? new Map<string, Choice[][]>()
      offers.set(group, models)
      for (const model of route.models) models.set(model, joined(models.get(model) ?? [], { route, group }))
    }
  }
  return {
    routes,
    offers: (group, model) => offers.get(group)?.get(model) ?? [],
    modelsOf: (groups) => [...new Set(groups.flatMap((group) => [...(offers.get(group)?.keys() ?? [])]))].sort(),
    isOut: (groups, model) =>
      [...routes.values()].some(
        (route) =>
          route.status === ChannelStatus.autoDisabled &&
          route.models.has(model) &&
          groups.some((group) => route.groups.has(group)),
      ),
  }
}

/** Adds a choice to the last tier, or starts a tier of lower priority. */
function joined(tiers: Choice[][], choice: Choice) {
  const last = tiers.at(-1)
  if (last?.[0]?.route.priority === choice.route.priority) last.push(choice)
  else tiers.push([choice])
  return tiers
}

/** A channel as routing sees it, stored or not. */
export function routeOf(channel: RoutableChannel): Route {
  const provider = providerOf(channel.type)
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    status: channel.status,
    priority: channel.priority,
    weight: channel.weight,
    models: new Set(channel.models),
    groups: new Set(channel.groups.length === 0 ? [Defaults.group] : channel.groups),
    mapping: channel.mapping,
    systemPrompt: channel.systemPrompt,
    testModel: channel.testModel,
    provider,
    access: {
      type: channel.type,
      baseUrl: channel.baseUrl || (provider?.baseUrl ?? ''),
      key: channel.key,
      other: channel.other,
      config: channel.config,
    },
    pool: channel.pool,
    poolKey: undefined,
    rules: rulesOf(channel.config),
    network: networkOf(channel.config),
    firstByteTimeoutMs: inMs(channel.config.first_byte_timeout),
    ignoredFailures: ignoredOf(channel.config),
  }
}

/** The route with one key of its pool. Undefined when the key cannot be decrypted. */
export function routeWithKey(route: Route, { id, hint, secrets }: RoutableKey): Route | undefined {
  const opened = secrets()
  if (opened === undefined) return undefined
  const { key, config } = opened
  return {
    ...route,
    access: { ...route.access, key, config: { ...route.access.config, ...config } },
    poolKey: { id, hint },
  }
}

function networkOf({ connect_timeout, proxy = '', proxy_user = '', proxy_password = '' }: ChannelConfig): Network {
  const connectTimeoutMs = inMs(connect_timeout)
  const login = { user: proxy_user, password: proxy_password }
  return {
    ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
    ...(proxy !== '' && { proxy: { ...(parseProxy(proxy) ?? NO_PROXY), ...login } }),
  }
}

/** A channel whose proxy cannot be parsed must not be called without it. */
const NO_PROXY: ProxyAddress = { scheme: 'http', host: '', port: 0 }

const inMs = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000)

function ignoredOf({ ignored_failures: ends = [] }: ChannelConfig): ReadonlySet<FailureEnd> | undefined {
  return ends.length === 0 ? undefined : new Set(ends)
}

function rulesOf({ header_rules: headers = [], body_rules: body = [] }: ChannelConfig): RequestRules | undefined {
  return headers.length + body.length === 0 ? undefined : { headers, body }
}
