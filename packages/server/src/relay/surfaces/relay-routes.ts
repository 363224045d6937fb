import type { CatalogService } from '../../catalog/catalog-service.ts'
import { GatewayError } from '../../common/errors.ts'
import type { Log } from '../../common/log.ts'
import type { OptionsService } from '../../options/options-service.ts'
import type { CallTrace, TracedRequest } from '../../telemetry/call-trace.ts'
import { type Keys, presentedKey } from '../caller/keys.ts'
import { type ProxyCall, proxyTarget } from '../lanes/proxy-call.ts'
import type { RecentItems } from '../lanes/recent-items.ts'
import type { LateStarts } from '../late-starts.ts'
import { outcomeOfError } from '../outcome.ts'
import type { Realtime } from '../realtime/realtime.ts'
import type { Refusals } from '../refusals.ts'
import type { Relay } from '../relay.ts'
import type { RequestContext } from '../request-context.ts'
import { type ApiFamily, familyAt, isMidjourneyPath } from './api-family.ts'
import type { Billing } from './billing.ts'
import { wantsJsonArray } from './json-array.ts'
import { listNames, modelList, modelNamed } from './model-list.ts'
import { operationAt, pathText } from './operations.ts'
import { relayHeaders, renderRelayError } from './render-error.ts'
import { isCoherePath, servedPath } from './served-path.ts'
import { methodsOf, type StoredTarget, storedResponse, storedTarget } from './stored-responses.ts'
import { meantCall, unknownPath } from './unknown-path.ts'

interface Needs {
  relay: Relay
  realtime: Realtime
  proxyCall: ProxyCall
  keys: Keys
  catalog: CatalogService
  options: OptionsService
  billing: Billing
  log: Log
  items: RecentItems
  noteRefusal: Refusals
  lateStarts: LateStarts
  /** Files and batches; undefined when the path is none of theirs. */
  batches(request: Request, context: RequestContext, path: string): Promise<Response | undefined>
  /** A background response; undefined when it is not this user's. */
  showBackground(userId: number, target: StoredTarget, request: Request): Promise<object | undefined>
  /** Traces a call; undefined without telemetry. */
  trace: ((request: TracedRequest) => CallTrace) | undefined
}

/** The HTTP surface of the relay: paths, and errors in the format that clients expect. */
export const createRelayRoutes = (needs: Needs) => {
  const { relay, realtime, proxyCall, keys, catalog, options, billing, log, items, noteRefusal, trace } = needs
  const { lateStarts, batches, showBackground } = needs

  const answerTo = async (request: Request, context: RequestContext, path: string, family: ApiFamily) => {
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    const caller = await keys.authenticate(presentedKey(request), context)
    const target = path.replace(/^\/v1(beta)?/, '')
    const names = () => listNames(catalog, caller, options.values().ModelAliases.exact)
    // Without its version the path is wrong, and so would be that of the calls.
    if (/^\/models(\/|$)/.test(path)) throw unknownPath(request, path)
    if (target === '/models') return modelList(names(), family)
    if (/^\/models\/./.test(target)) return modelNamed(names(), pathText(target.slice(8)) ?? '', family)
    if (target === '/dashboard/billing/subscription') return billing.subscription(caller)
    if (target === '/dashboard/billing/usage') return billing.usage(caller)
    throw unknownPath(request, path)
  }

  const answerStored = async (request: Request, context: RequestContext, path: string, target: StoredTarget) => {
    const methods = methodsOf(target)
    if (!methods.includes(request.method)) throw wrongMethod(request, path, methods.join(', '))
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    const { userId } = await keys.authenticate(presentedKey(request), context)
    return storedResponse(items.of(userId), target, request).catch(async (error) => {
      if (!(error instanceof GatewayError) || error.code !== 'relay.response_unknown') throw error
      const shown = await showBackground(userId, target, request)
      if (shown === undefined) throw error
      return shown
    })
  }

  return {
    /** Includes what libraries make of a wrong base URL, so that they get a helpful error; the console has pages of its own. */
    owns: (path: string, request: Request) =>
      /^\/(v1|v1beta|v2|openai|upload|dashboard\/billing)(\/|$)/.test(path) ||
      isMidjourneyPath(path) ||
      meantCall(path) !== undefined ||
      (/^\/models(\/|$)/.test(path) && presentedKey(request) !== undefined),

    /** Undefined when the request has become a socket. */
    async fetch(request: Request, context: RequestContext, requested: string): Promise<Response | undefined> {
      const path = servedPath(requested)
      const call = operationAt(path)
      const family = call?.operation.family ?? familyAt(meantCall(path) ?? path, request)
      if (trace !== undefined && (call !== undefined || path === REALTIME) && request.method !== 'OPTIONS') {
        const operation = call?.operation.name ?? 'realtime'
        context.trace = trace({ headers: request.headers, operation, requestId: context.requestId })
      }
      const refuse = async (error: unknown) => {
        const inArray = call !== undefined && wantsJsonArray(call.operation, request.url)
        const program = request.headers.get('user-agent') ?? ''
        const errors = isMidjourneyPath(path) ? 'midjourney' : isCoherePath(requested) ? 'cohere' : family
        const shown = renderRelayError(error, context, log, { family: errors, inArray, program })
        const { answer } = shown
        noteRefusal(request, context, error, answer.status)
        if (context.recording !== undefined) await context.recording.refused(answer)
        context.trace?.refused({ status: answer.status, outcome: outcomeOfError(error), model: context.call?.model })
        return shown
      }
      try {
        if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: preflight(context) })
        if (call !== undefined && request.method !== 'POST') throw wrongMethod(request, path, 'POST')
        if (call !== undefined) {
          const late = {
            operation: call.operation,
            context,
            refuse: async (error: unknown) => (await refuse(error)).failure,
          }
          return await lateStarts.answerInTime(relay.handle(request, context, call), late)
        }
        if (!URL.canParse(request.url)) throw new GatewayError('input.bad_path')
        if (path === REALTIME) return await realtime(request, context)
        const target = proxyTarget(path)
        if (target !== undefined) return await proxyCall(request, context, target)
        const stored = storedTarget(path)
        if (stored !== undefined) {
          const shown = await answerStored(request, context, path, stored)
          return Response.json(shown, { headers: relayHeaders(context.requestId) })
        }
        const handled = await batches(request, context, path)
        if (handled !== undefined) return handled
        // Lists can be asked for their headers alone; the server leaves the body out.
        const read = request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request
        if (read.method !== 'GET') {
          throw LISTS.test(path) ? wrongMethod(request, path, 'GET') : unknownPath(request, path)
        }
        const answer = await answerTo(read, context, path, family)
        return Response.json(answer, { headers: relayHeaders(context.requestId, family) })
      } catch (error) {
        return (await refuse(error)).answer
      }
    },
  }
}

const REALTIME = '/v1/realtime'

/** Read-only paths. */
const LISTS = /^\/v1(?:beta)?\/models(\/[^:]+)?$|^(\/v1)?\/dashboard\/billing\/(subscription|usage)$/

const wrongMethod = ({ method }: Request, path: string, allowed: string) =>
  new GatewayError('relay.wrong_method', { method, path, allowed })

/** Browsers may call with a key from any page; there are no cookies here that a page could abuse. */
function preflight({ requestId }: RequestContext) {
  return {
    ...relayHeaders(requestId),
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '86400',
  }
}
