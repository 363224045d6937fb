import type { z } from 'zod'

/** Who may call: anyone, a signed-in user, an administrator (role 10), the super administrator (role 100). */
export type Access = 'public' | 'user' | 'admin' | 'root'

/** Rate-limit class. Every call counts as `api`; the others are narrower and count in addition. */
export type LimitClass = 'login' | 'critical' | 'mail'

/** Sent by the console, as `1`, with every GET that has effects: no page of another origin can send it. */
export const CONSOLE_HEADER = 'x-tollgate-console'

/** A sentence in both languages of the product. */
export interface Text {
  zh: string
  en: string
}

export interface EndpointShape {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Written with a leading slash and `:name` for parameters; served with and without a trailing slash. */
  path: string
  access: Access
  summary: Text
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Bytes of the body, where the usual limit is too low. */
  bodyMax?: number
  /** The `data` member of the envelope; absent when the call has nothing to return. */
  data?: z.ZodType
  /** Members next to `data` at the top level, where existing clients read them. */
  extra?: z.ZodObject
  /** `data` is one page of a list and `X-Total-Count` the number of all rows; `X-Total-More` says that counting stopped there. */
  paged?: true
  /** The answer is a streamed file; only an error uses the envelope. */
  file?: true
  /** The answer is a stream of server-sent events, each with one `data`; only an error uses the envelope. */
  events?: true
  /** The answer may take minutes: status 200 and spaces that keep the connection alive may precede it. */
  slow?: true
  /** A GET with side effects: it must prove that a page of the console sent it. */
  effects?: true
  /** Creates something: repeated with the same `Idempotency-Key`, it returns the first answer and creates nothing more. */
  idempotent?: true
  limit?: LimitClass
}

/** One call of the management API, described once for server, console and documentation. */
export const endpoint = <const E extends EndpointShape>(shape: E): E => shape

type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Input<S> = S extends z.ZodType ? z.input<S> : undefined

/** What a handler receives: parsed, with defaults applied. */
export interface Received<E extends EndpointShape> {
  params: Output<E['params']>
  query: Output<E['query']>
  body: Output<E['body']>
}

/** What a caller has to send. */
export interface Sent<E extends EndpointShape> {
  params: Input<E['params']>
  query: Input<E['query']>
  body: Input<E['body']>
}

export type DataOf<E extends EndpointShape> = Output<E['data']>
export type ExtraOf<E extends EndpointShape> = Output<E['extra']>
