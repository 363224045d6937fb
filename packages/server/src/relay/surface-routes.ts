import type { CatalogService } from '../catalog/catalog-service.ts'
import { GatewayError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Arrival } from './arrival.ts'
import type { Billing } from './billing.ts'
import { type Keys, presentedKey } from './keys.ts'
import { listModels, modelList, modelNamed } from './model-list.ts'
import { type ProxyCall, proxyTarget } from './proxy-call.ts'
import type { Realtime } from './realtime.ts'
import type { Relay } from './relay.ts'
import { relayHeaders, renderRelayError } from './render-error.ts'
import { operationAt, pathText } from './surface.ts'

interface Needs {
  relay: Relay
  realtime: Realtime
  proxyCall: ProxyCall
  keys: Keys
  catalog: CatalogService
  billing: Billing
  log: Log
}

/** What clients of the relay see: which path is which call, and errors in the shape that they expect. */
export const createSurface = ({ relay, realtime, proxyCall, keys, catalog, billing, log }: Needs) => {
  const asked = async (request: Request, arrival: Arrival): Promise<object> => {
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    const caller = await keys.authenticate(presentedKey(request), arrival)
    const { pathname } = new URL(request.url)
    const path = pathname.replace(/^\/v1(beta)?/, '')
    if (path === '/models') return modelList(listModels(catalog, caller))
    if (path.startsWith('/models/')) return modelNamed(listModels(catalog, caller), pathText(path.slice(8)) ?? '')
    if (path === '/dashboard/billing/subscription') return billing.subscription(caller)
    if (path === '/dashboard/billing/usage') return billing.usage(caller)
    throw new GatewayError('relay.not_found', { method: request.method, path: pathname })
  }

  return {
    owns: (path: string) => /^\/(v1|v1beta|dashboard\/billing)(\/|$)/.test(path),

    /** Undefined when the request has become a socket. */
    async fetch(request: Request, arrival: Arrival, path: string): Promise<Response | undefined> {
      const call = request.method === 'POST' ? operationAt(path) : undefined
      try {
        if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: preflight(arrival) })
        if (call !== undefined) return await relay.handle(request, arrival, call)
        if (!URL.canParse(request.url)) throw new GatewayError('input.bad_path')
        if (path === '/v1/realtime') return await realtime(request, arrival)
        const target = proxyTarget(path)
        if (target !== undefined) return await proxyCall(request, arrival, target)
        if (request.method !== 'GET') {
          throw new GatewayError('relay.not_found', { method: request.method, path })
        }
        const answer = await asked(request, arrival)
        return Response.json(answer, { headers: relayHeaders(arrival.requestId) })
      } catch (error) {
        return renderRelayError(error, arrival, log, call?.operation)
      }
    },
  }
}

/** Browsers may call with a key from any page; there are no cookies here that a page could abuse. */
function preflight({ requestId }: Arrival) {
  return {
    ...relayHeaders(requestId),
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '86400',
  }
}
