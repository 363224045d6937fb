import type { z } from 'zod'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { bodyFailure } from '../common/body-failure.ts'
import { bodyRoom } from '../common/body-room.ts'
import { boundedBody } from '../common/bounded-body.ts'
import { GatewayError } from '../common/errors.ts'
import { type Keys, presentedKey, type RelayCaller } from '../relay/caller/keys.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { parsedJson } from '../relay/surfaces/call.ts'

/** An authenticated request to one of the paths below. */
export interface SurfaceRequest {
  caller: RelayCaller
  request: Request
  context: RequestContext
  id: string
}

export type Handler = (request: SurfaceRequest) => Promise<Response | object>

/** By path and method. */
export type Handlers = Record<string, Record<string, Handler>>

interface Needs {
  keys: Keys
  catalog: CatalogService
}

interface Received extends Omit<SurfaceRequest, 'caller'> {
  path: string
}

const IDLE_TIMEOUT_SEC = 120

/** Authenticates the caller and runs the handler of the method, however long the vendor takes. */
export async function answered({ keys, catalog }: Needs, handlers: Record<string, Handler>, received: Received) {
  const { request, context, path, id } = received
  const handler = handlers[request.method]
  if (handler === undefined) {
    const allowed = Object.keys(handlers).join(', ')
    throw new GatewayError('relay.wrong_method', { method: request.method, path, allowed })
  }
  const stale = catalog.stale()
  if (stale !== undefined) await stale
  const caller = await keys.authenticate(presentedKey(request), context)
  context.setIdleTimeout(0)
  const answer = await handler({ caller, request, context, id })
  context.setIdleTimeout(IDLE_TIMEOUT_SEC)
  return answer
}

export function queryOf<T>(shape: z.ZodType<T>, { url }: Request): T {
  const { success, data, error } = shape.safeParse(Object.fromEntries(new URL(url).searchParams))
  if (success) return data
  throw new GatewayError('relay.bad_body', { reason: String(error.issues[0]?.path[0]) })
}

export async function jsonOf(caller: RelayCaller, request: Request, stringsMax?: number): Promise<unknown> {
  const text = await bodyRoom
    .receive(caller, request, () => boundedBody(request).text())
    .catch((error) => {
      throw bodyFailure(error)
    })
  return parsedJson(text, stringsMax)
}

export function parsed<T>(shape: z.ZodType<T>, value: unknown): T {
  const { success, data, error } = shape.safeParse(value)
  if (success) return data
  const issue = error.issues[0]
  throw new GatewayError('relay.bad_body', { reason: `${issue?.path.join('.') || 'body'}: ${issue?.message}` })
}
