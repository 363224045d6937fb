import {
  type Access,
  type DataOf,
  type EndpointShape,
  type Envelope,
  type ExtraOf,
  isAdmin,
  isRoot,
  type Received,
  Role,
} from '@tollgate/contract'
import type { Hono } from 'hono'
import type { Actor } from '../common/actor.ts'
import { GatewayError, type Language } from '../common/errors.ts'
import { validated } from '../common/validation.ts'
import type { IdempotencyService } from '../idempotency/idempotency-service.ts'
import { readJson } from './body.ts'
import { refuseCrossSite, requireConsoleProof } from './csrf.ts'
import { eventStream } from './event-stream.ts'
import { keptAlive } from './kept-alive.ts'
import type { Limits } from './limits.ts'
import { refuseUnstorable } from './storable.ts'

/** What is known about a request before it reaches a route. */
export interface Incoming {
  ip: string
  language: Language
  requestId: string
  /** Whether the browser uses https, to us or to the proxy in front. */
  secure: boolean
  /** Whether other origins may serve the console. */
  crossSite: boolean
  answerHeaders: Headers
}

export interface Caller<A extends Access = Access> extends Incoming {
  actor: A extends 'public' ? Actor | undefined : Actor
  userAgent: string
  cookieHeaders: Headers
  /** The position of a reconnecting event stream client. */
  lastEventId: string | undefined
}

export interface Gate {
  authenticate(headers: Headers, secure: boolean): Promise<Actor | undefined>
  limits: Limits
  consoleOrigins: readonly string[]
}

/** A page of a list with the total number of rows, or the minimum when there are `more`. */
export interface Page<T> {
  rows: T[]
  total: number
  more?: boolean
}

/** An answer with more than `data`: a message that clients read, or members next to it. */
export class Answer<D, B> {
  constructor(
    readonly data: D,
    readonly more: { message?: string; extra?: B },
  ) {}
}

/** A streamed file: chunks are produced as the client reads them, and stop when it disconnects. */
export class Download {
  constructor(
    readonly name: string,
    readonly type: string,
    readonly pieces: AsyncGenerator<Uint8Array>,
  ) {}
}

/** A stream of messages for as long as the caller is allowed to read it; undefined is a heartbeat. */
export class Events<D> {
  constructor(readonly open: (isAllowed: () => Promise<boolean>) => AsyncGenerator<D | undefined>) {}
}

// biome-ignore lint/suspicious/noConfusingVoidType: the services behind such calls are async functions without a result.
type Data<E extends EndpointShape> = E['data'] extends object ? DataOf<E> : void

type Plain<E extends EndpointShape> = E['file'] extends true
  ? Download
  : E['events'] extends true
    ? Events<DataOf<E>>
    : E['paged'] extends true
      ? DataOf<E> extends (infer T)[]
        ? Page<T>
        : never
      : E['extra'] extends object
        ? Answer<DataOf<E>, ExtraOf<E>>
        : Data<E> | Answer<DataOf<E>, undefined>

export type Handler<E extends EndpointShape> = (
  input: Received<E>,
  caller: Caller<E['access']>,
) => Promise<Plain<E>> | Plain<E>

export interface Router {
  app: Hono<{ Bindings: Incoming }>
  gate: Gate
  idempotency: IdempotencyService
  /** Renders an error after the router's own handler is out of reach. */
  refuse(error: unknown, incoming: Incoming): Response
  /** The endpoints that have a handler, so that a test can compare them with the contract. */
  served: EndpointShape[]
}

/** Binds an endpoint of the contract to its handler: the only way to add a call to the management API. */
export const serve = <const E extends EndpointShape>(router: Router, endpoint: E, handler: Handler<E>) => {
  const path = endpoint.path.replace(/\/$/, '')
  router.served.push(endpoint)
  router.app.on(endpoint.method, [path, `${path}/`], async (context) => {
    const request = context.req.raw
    const incoming = context.env
    const actor = await admit(router.gate, endpoint, request, incoming)
    const wording = { language: incoming.language, path: endpoint.path }
    const input = {
      params: endpoint.params && validated(endpoint.params, context.req.param(), wording),
      query: endpoint.query && validated(endpoint.query, storable(context.req.query()), wording),
      body: endpoint.body && validated(endpoint.body, await readJson(request, endpoint), wording),
    }
    const caller = {
      ...incoming,
      actor,
      userAgent: request.headers.get('user-agent') ?? '',
      cookieHeaders: request.headers,
      lastEventId: request.headers.get('last-event-id') ?? undefined,
    }
    /** Checked repeatedly while events are sent. */
    const isAllowed = async () => {
      const now = await router.gate.authenticate(request.headers, incoming.secure)
      return now?.id === actor?.id && mayCall(endpoint.access, now)
    }
    const events = (result: Events<unknown>) =>
      eventStream(result.open(isAllowed), {
        headers: incoming.answerHeaders,
        parse: (message) => endpoint.data?.parse(message),
      })
    // `input` and `actor` were validated against this very endpoint above; the compiler cannot follow the generic.
    const answer = async () => {
      const result = await handler(input as Received<E>, caller as Caller<E['access']>)
      return result instanceof Events ? events(result) : render(endpoint, result, incoming)
    }
    const key = endpoint.idempotent === true ? request.headers.get('idempotency-key') : null
    if (key !== null) {
      // The query is left out: its human check differs each time.
      const asked = { actorId: actor?.id, endpoint, key, input: [input.params, input.body] }
      const { answer: text, replayed } = await router.idempotency.once(asked, async () => (await answer()).text())
      if (replayed) incoming.answerHeaders.set('idempotent-replayed', 'true')
      return json(text, incoming.answerHeaders)
    }
    if (endpoint.slow !== true) return answer()
    return keptAlive(
      answer().catch((error) => router.refuse(error, incoming)),
      incoming.answerHeaders,
    )
  })
}

/** The checks before every handler, in this order: authentication, rate limit, origin, permission. */
async function admit(gate: Gate, endpoint: EndpointShape, request: Request, incoming: Incoming) {
  const actor = await gate.authenticate(request.headers, incoming.secure)
  await gate.limits.api(actor, incoming.ip)
  if (actor?.by !== 'access token') refuseForgery(gate, endpoint, request)
  requireRole(endpoint.access, actor, request.headers)
  if (endpoint.limit === 'critical' || endpoint.limit === 'mail') await gate.limits.critical(endpoint.path, incoming.ip)
  return actor
}

/** A program with an access token has no cookie that a page could abuse. */
function refuseForgery({ consoleOrigins }: Gate, endpoint: EndpointShape, request: Request) {
  const own = { origin: new URL(request.url).origin, consoleOrigins }
  if (endpoint.method !== 'GET') refuseCrossSite(request.headers, own)
  if (endpoint.effects === true) requireConsoleProof(request.headers, own)
}

function requireRole(access: Access, actor: Actor | undefined, headers: Headers) {
  if (access === 'public') return
  if (actor === undefined) {
    throw new GatewayError(headers.has('authorization') ? 'session.bad_access_token' : 'session.missing')
  }
  if (!mayCall(access, actor)) throw new GatewayError('session.forbidden')
}

function mayCall(access: Access, actor: Actor | undefined) {
  if (access === 'public' || actor === undefined) return access === 'public'
  return access === 'root' ? isRoot(actor.role) : access === 'admin' ? isAdmin(actor.role) : actor.role >= Role.user
}

function render(endpoint: EndpointShape, result: unknown, incoming: Incoming) {
  const headers = incoming.answerHeaders
  if (result instanceof Download) return download(result, headers)
  if (endpoint.paged && isPage(result)) {
    headers.set('x-total-count', String(result.total))
    if (result.more === true) headers.set('x-total-more', 'true')
    return reply({ success: true, message: '', data: endpoint.data?.parse(result.rows) }, headers)
  }
  const answer = result instanceof Answer ? result : new Answer(result, {})
  const extra = endpoint.extra?.parse(answer.more.extra ?? {}) ?? {}
  // Parsed on the way out: a column that the contract does not name cannot leave the server.
  const data = endpoint.data === undefined ? {} : { data: endpoint.data.parse(answer.data) }
  return reply({ success: true, message: answer.more.message ?? '', ...data, ...extra }, headers)
}

function download({ name, type, pieces }: Download, headers: Headers) {
  headers.set('content-type', type)
  headers.set('content-disposition', `attachment; filename="${name}"`)
  // Bun accepts an async generator as a body and ends it when the client disconnects; the DOM's types do not know that.
  return new Response(pieces as unknown as BodyInit, { headers })
}

function storable(query: Record<string, string>) {
  for (const text of Object.values(query)) refuseUnstorable(text)
  return query
}

function isPage(value: unknown): value is Page<unknown> {
  return typeof value === 'object' && value !== null && 'rows' in value && 'total' in value
}

function reply(envelope: Envelope & Record<string, unknown>, headers: Headers) {
  return json(JSON.stringify(envelope), headers)
}

function json(text: string, headers: Headers) {
  headers.set('content-type', 'application/json; charset=utf-8')
  return new Response(text, { headers })
}
