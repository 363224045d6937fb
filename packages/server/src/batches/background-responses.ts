import { NO_USAGE, requestedServiceTier } from '@tollgate/providers'
import type { Choice, Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { newId } from '../common/work-ids.ts'
import { upstreamModel } from '../relay/answer.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import { estimateCall } from '../relay/meter/estimate.ts'
import { quoteAtServiceTier } from '../relay/meter/quote.ts'
import type { RequestContext } from '../relay/request-context.ts'
import type { Call } from '../relay/surfaces/call.ts'
import type { StoredTarget } from '../relay/surfaces/stored-responses.ts'
import type { BatchNeeds } from './batch-needs.ts'
import { type BatchRow, batchesRepository } from './batches-repository.ts'
import { callsOtherModels } from './other-models.ts'
import { planOf } from './plan.ts'
import { KINDS } from './vendor-batch.ts'

/** A background response is a batch of one, at the usual price. Callers know it by the vendor's id. */
export const createBackgroundResponses = (needs: BatchNeeds) => {
  const { db, options, rateLimiting, chooseChannel, startBatch, followBatch, vendorCall } = needs
  const repository = batchesRepository(db)

  const routeOf = (row: BatchRow) => {
    const route = vendorCall.routeOf(row)
    if (route === undefined) throw new GatewayError('relay.batch_channel_gone')
    return route
  }

  const updated = async (row: BatchRow, method: 'GET' | 'POST', path: string) => {
    await followBatch.update(row, await vendorCall.requestFor(routeOf(row), { method, path }))
    return (await repository.findResponse({ upstreamId: row.upstream_id, userId: row.user_id })) ?? row
  }

  return {
    /** `call` has the model with aliases resolved. Returns as soon as the vendor has accepted it. */
    async create(caller: RelayCaller, context: RequestContext, call: Call, requestedModel: string): Promise<object> {
      const { operation, model } = call
      if (callsOtherModels(call)) throw new GatewayError('relay.background_tools')
      const takes = ({ provider }: Route) => provider?.background === true
      const startOn = ({ route, group }: Choice) => {
        const upstreamName = upstreamModel(call, route)
        const estimate = estimateCall({ ...call, model: upstreamName }, options.values().PreConsumedQuota)
        const line = { key: '', model: upstreamName, asked: requestedModel, estimate }
        const tier = requestedServiceTier(call.body)
        const body = call.upstreamBody(upstreamName)
        return startBatch(caller, context, {
          ...{ kind: 'response', id: newId('background_'), route, group, models: [model] },
          plan: planOf('/v1/responses', [line]),
          // A vendor may answer a flex request at the usual tier and price.
          priced: (usual) => ({ charged: usual, held: tier === 'flex' ? usual : quoteAtServiceTier(usual, tier) }),
          request: { method: 'POST', path: '/responses', body: String(body), headers: call.headers, isCall: true },
        })
      }
      const pass = await rateLimiting.enter(caller, [model], NO_USAGE)
      try {
        const started = await chooseChannel.start({ caller, operation, models: [model], takes }, startOn)
        if (started === undefined) throw new GatewayError('relay.no_background', { model })
        return JSON.parse(started.body)
      } finally {
        pass?.release()
      }
    },

    /** Undefined if this caller has no such background response. */
    async show(userId: number, { id, part }: StoredTarget, request: Request): Promise<object | undefined> {
      const row = await repository.findResponse({ upstreamId: id, userId })
      if (row === undefined) return undefined
      const path = KINDS.response.path(row.upstream_id)
      if (part === 'input_items') {
        const { body } = await vendorCall.requestFor(routeOf(row), {
          method: 'GET',
          path: `${path}/input_items${pageOf(request)}`,
        })
        return Object(body)
      }
      if (part === 'cancel') {
        if (row.settled_at !== null) throw new GatewayError('relay.response_done', { id })
        return JSON.parse((await updated(row, 'POST', `${path}/cancel`)).body)
      }
      const now = row.settled_at === null ? await updated(row, 'GET', path) : row
      if (request.method !== 'DELETE') return JSON.parse(now.body)
      if (now.settled_at === null) throw new GatewayError('relay.batch_running', { id })
      const { body } = await vendorCall.requestFor(routeOf(row), { method: 'DELETE', path })
      await repository.remove(row.id)
      return Object(body)
    },
  }
}

/** Only these parameters are passed on: the query may also contain the caller's key. */
const PAGING = ['limit', 'order', 'after', 'before', 'include', 'include[]']

function pageOf({ url }: Request) {
  const kept = [...new URL(url).searchParams].filter(([name]) => PAGING.includes(name))
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`
}
