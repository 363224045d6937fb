import { Defaults } from '@tollgate/contract'
import { type Access, type Provider, providerOf } from '@tollgate/providers'
import type { RoutableChannel } from '../channels/routable.ts'

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
}

/** Channels × groups × models, as one value that is never changed, only replaced. */
export interface Snapshot {
  routes: ReadonlyMap<number, Route>
  /** The enabled routes that offer a model to a group, highest priority first. */
  offers(group: string, model: string): readonly Route[]
  modelsOf(groups: readonly string[]): string[]
}

export const buildSnapshot = (channels: readonly RoutableChannel[]): Snapshot => {
  const routes = new Map(channels.map((channel) => [channel.id, routeOf(channel)]))
  const offers = new Map<string, Map<string, Route[]>>()
  const enabled = [...routes.values()].filter((route) => route.status === 1)
  for (const route of enabled.sort((one, other) => other.priority - one.priority || one.id - other.id)) {
    for (const group of route.groups) {
      const models = offers.get(group) ?? new Map<string, Route[]>()
      offers.set(group, models)
      for (const model of route.models) models.set(model, [...(models.get(model) ?? []), route])
    }
  }
  return {
    routes,
    offers: (group, model) => offers.get(group)?.get(model) ?? [],
    modelsOf: (groups) => [...new Set(groups.flatMap((group) => [...(offers.get(group)?.keys() ?? [])]))].sort(),
  }
}

function routeOf(channel: RoutableChannel): Route {
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
  }
}
