import { CONSOLE_HEADER, type DataOf, type EndpointShape, Envelope, type ExtraOf, type Sent } from '@tollgate/contract'
import { chosenLocale } from '../lib/format/locale.ts'
import { SERVER_ADDRESS } from './address.ts'
import { ApiError } from './api-error.ts'
import { forgetIdempotencyKey, idempotencyKey } from './idempotency-key.ts'
import { reach } from './reach.ts'
import { endpointUrl } from './url.ts'

/** The arguments that the endpoint has: `params`, `query`, `body`. */
type Arguments<E extends EndpointShape> = {
  [K in keyof Sent<E> as Sent<E>[K] extends undefined ? never : K]: Sent<E>[K]
}

/** An endpoint without any of them is called without arguments. */
type Rest<E extends EndpointShape> = keyof Arguments<E> extends never ? [] : [sent: Arguments<E>]

type Paged = EndpointShape & { paged: true }
type RowsOf<E extends EndpointShape> = DataOf<E> extends (infer Row)[] ? Row : never

export interface Answer<E extends EndpointShape> {
  data: DataOf<E>
  extra: ExtraOf<E>
  message: string
  /** The number of all rows of a paged list, or the minimum when there are `more`. */
  total: number | undefined
  more: boolean
}

export interface ListPage<Row> {
  rows: Row[]
  total: number
  /** There are more than `total`, not counted. */
  more?: boolean
}

/** The `data` of an endpoint's answer. Throws an ApiError when the server refuses, a TypeError when it is unreachable. */
export async function call<E extends EndpointShape>(endpoint: E, ...rest: Rest<E>): Promise<DataOf<E>> {
  return (await ask(endpoint, ...rest)).data
}

/** One page of a list and the total number of rows. */
export async function callPage<E extends Paged>(endpoint: E, ...rest: Rest<E>): Promise<ListPage<RowsOf<E>>> {
  const { data, total, more } = await ask(endpoint, ...rest)
  // Paged endpoints return arrays: the contract marks no other kind as `paged`.
  const rows = data as RowsOf<E>[]
  return { rows, total: total ?? rows.length, more }
}

/** The whole answer, for the few calls whose message or other members matter. */
export async function ask<E extends EndpointShape>(endpoint: E, ...rest: Rest<E>): Promise<Answer<E>> {
  const { params, query, body }: { params?: object; query?: object; body?: unknown } = rest[0] ?? {}
  const text = body === undefined ? undefined : JSON.stringify(body)
  const response = await reach(`${SERVER_ADDRESS}${endpointUrl(endpoint, { ...params }, { ...query })}`, {
    method: endpoint.method,
    credentials: SERVER_ADDRESS === '' ? 'same-origin' : 'include',
    headers: {
      'Accept-Language': chosenLocale(),
      // Not with every call: a console of another origin would need a preflight for each.
      ...(endpoint.effects === true ? { [CONSOLE_HEADER]: '1' } : {}),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(endpoint.idempotent ? { 'Idempotency-Key': idempotencyKey(endpoint, text ?? '') } : {}),
    },
    ...(text === undefined ? {} : { body: text }),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  // After a server error the outcome is unknown: a retry with the same key finds out.
  if (endpoint.idempotent && response.status < 500) forgetIdempotencyKey(endpoint)
  const envelope = Envelope.safeParse(answer)
  if (!response.ok || !envelope.success || !envelope.data.success) {
    const { message, field, changed } = envelope.data ?? {}
    throw new ApiError(message || response.statusText || String(response.status), response.status, { field, changed })
  }
  const total = Number(response.headers.get('X-Total-Count') ?? Number.NaN)
  return {
    // Parsed by the very schemas from which these types are derived.
    data: endpoint.data?.parse(envelope.data.data) as DataOf<E>,
    extra: endpoint.extra?.parse(answer) as ExtraOf<E>,
    message: envelope.data.message,
    total: Number.isNaN(total) ? undefined : total,
    more: response.headers.get('X-Total-More') === 'true',
  }
}
