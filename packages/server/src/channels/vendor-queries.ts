import { ChannelStatus, type channels as endpoints, placeMembers, type Received } from '@tollgate/contract'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Prices } from '../catalog/prices.ts'
import { type Route, routeOf } from '../catalog/snapshot.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import type { Credentials } from '../upstream/credentials.ts'
import type { Http } from '../upstream/http.ts'
import { askVendor } from './ask-vendor.ts'
import { checkProxy, checkRegion, cleanBaseUrl, cleanConfig, cleanOther } from './channel-fields.ts'
import { assembleKey, checkKey, splitKeys } from './channel-keys.ts'
import type { ChannelsService } from './channels-service.ts'
import { freshRouteWithKey } from './fresh-route.ts'

export type VendorQueries = ReturnType<typeof createVendorQueries>

interface Needs {
  catalog: CatalogService
  channels: ChannelsService
  prices: Prices
  http: Http
  credentials: Credentials
  clock: Clock
  log: Log
}

/** Queries to a channel's vendor: balance and model list. */
export const createVendorQueries = (needs: Needs) => {
  const { catalog, channels, prices, credentials, clock, log } = needs

  const modelsOf = async (route: Route) => {
    const { models: listing } = route.provider ?? {}
    if (listing === undefined) throw new GatewayError('channel.models_unsupported')
    // For types with a region, the region determines the address.
    const hasAddress = route.access.baseUrl !== '' || placeMembers(route.type).includes('region')
    if (!hasAddress) throw new GatewayError('channel.bad_base_url')
    const { listed, isPartial } = await askVendor(needs, route, {
      requests: (access) => [listing.request(access, clock.now()), listing.more?.(access, clock.now()) ?? []].flat(),
      read: (bodies) => ({ listed: listing.read(bodies[0], bodies[1]), isPartial: bodies.some(hasMore) }),
      refusal: 'channel.models_failed',
    })
    return { models: [...new Set(listed)].sort(), isPartial }
  }

  return {
    async updateBalance(id: number) {
      const route = await freshRouteWithKey(needs, id)
      const { balance } = route.provider ?? {}
      if (balance === undefined) throw new GatewayError('channel.balance_unsupported')
      const amount = await askVendor(needs, route, {
        requests: (access) => balance.requests(access, seconds(clock)),
        read: (bodies, access) => balance.read(bodies, access),
        refusal: 'channel.balance_failed',
      })
      await channels.saveBalance(id, { balance: amount, balance_updated_time: seconds(clock) })
      return amount
    },

    async updateAllBalances() {
      for (const route of catalog.snapshot().routes.values()) {
        if (route.provider?.balance === undefined || route.status !== ChannelStatus.enabled) continue
        await this.updateBalance(route.id).catch((error) =>
          log.warn('A balance could not be read', { error, channel: route.id }),
        )
      }
    },

    /** Models of enabled channels that are billed at the default, each with the channels that offer it. */
    async unpriced() {
      await catalog.reload()
      const found = new Map<string, number[]>()
      for (const route of catalog.snapshot().routes.values()) {
        if (route.status !== ChannelStatus.enabled) continue
        for (const model of prices.unpriced(route)) found.set(model, [...(found.get(model) ?? []), route.id])
      }
      return [...found].map(([model, ids]) => ({ model, channels: ids })).sort(byModel)
    },

    /** All models that the channel's vendor lists, and whether there are more. */
    listedModels: async (id: number) => modelsOf(await freshRouteWithKey(needs, id)),

    async fetchModels(id: number) {
      const route = await freshRouteWithKey(needs, id)
      const { models } = await modelsOf(route)
      const offered = new Set(models)
      return {
        models,
        added: models.filter((model) => !route.models.has(model)),
        missing: [...route.models].filter((model) => !offered.has(route.mapping.get(model) ?? model)),
      }
    },

    /** The same for an unsaved channel in a form; of several keys the first is used. */
    async listModels(typed: Received<typeof endpoints.listModels>['body']) {
      try {
        return (await modelsOf(routeOf(unsaved(typed)))).models
      } finally {
        credentials.drop(UNSAVED)
      }
    },
  }
}

/** Lists are requested with the largest page size; this is how each vendor signals another page. */
function hasMore(body: unknown) {
  if (typeof body !== 'object' || body === null) return false
  const { has_more, nextPageToken, next_page_token } = body as Record<string, unknown>
  return (
    has_more === true || [nextPageToken, next_page_token].some((token) => typeof token === 'string' && token !== '')
  )
}

/** No stored channel has this id. */
const UNSAVED = 0

function unsaved({ type, base_url, key: typed, other, config: text }: Received<typeof endpoints.listModels>['body']) {
  const [first = ''] = splitKeys(type, typed)
  const { key, config } = assembleKey(type, first, cleanConfig(text))
  if (key === '') throw new GatewayError('channel.key_required')
  checkRegion(type, config)
  checkProxy(config)
  checkKey(type, { typed: first, key, config })
  return {
    ...{ id: UNSAVED, name: '', type, status: ChannelStatus.enabled, priority: 0, weight: 0 },
    ...{ models: [], groups: [], mapping: new Map<string, string>(), systemPrompt: '', testModel: '' },
    ...{ baseUrl: cleanBaseUrl(base_url), key, other: cleanOther(type, other), config },
  }
}

const byModel = (one: { model: string }, other: { model: string }) => (one.model < other.model ? -1 : 1)
