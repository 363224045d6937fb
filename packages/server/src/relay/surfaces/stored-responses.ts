import { inputItemsOf, readStoredResponse, shownResponse } from '@tollgate/providers'
import { z } from 'zod'
import { GatewayError } from '../../common/errors.ts'
import type { CallerItems } from '../lanes/recent-items.ts'
import { pathText } from './operations.ts'

/** `/v1/responses/resp_1/input_items` → the response and the part of it. */
export interface StoredTarget {
  id: string
  part: 'response' | 'cancel' | 'input_items'
}

const PATH = /^\/v1\/responses\/([^/]{1,200})(?:\/(cancel|input_items))?$/
const METHODS = { response: ['GET', 'DELETE'], cancel: ['POST'], input_items: ['GET'] }

export const storedTarget = (path: string): StoredTarget | undefined => {
  const [, encoded = '', part = 'response'] = PATH.exec(path) ?? []
  const id = pathText(encoded) ?? ''
  return id !== '' && isPart(part) ? { id, part } : undefined
}

const isPart = (part: string): part is StoredTarget['part'] => Object.hasOwn(METHODS, part)

/** The allowed methods of a part. */
export const methodsOf = ({ part }: StoredTarget) => METHODS[part]

/** Answers requests for an earlier response from the stored items. */
export const storedResponse = async (
  items: CallerItems,
  { id, part }: StoredTarget,
  request: Request,
): Promise<object> => {
  const find = async (known: string) => items.recall(known) ?? (await items.recallElsewhere(known))
  const stored = readStoredResponse(await find(id))
  if (stored === undefined) throw unknown(id)
  if (part === 'cancel') throw new GatewayError('relay.response_done', { id })
  if (part === 'input_items') return page(inputItemsOf(stored), request)
  if (request.method === 'DELETE') {
    await items.forget([id, ...stored.output])
    return { id, object: 'response', deleted: true }
  }
  const output = await Promise.all(stored.output.map(find))
  // Items may be evicted before their response.
  if (output.includes(undefined)) throw unknown(id)
  return shownResponse(stored, output)
}

const unknown = (id: string) => new GatewayError('relay.response_unknown', { id })

const Query = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().optional(),
})

function page(items: { id: string }[], request: Request) {
  const parsed = Query.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!parsed.success) throw new GatewayError('relay.bad_body', { reason: String(parsed.error.issues[0]?.path[0]) })
  const { limit, order, after } = parsed.data
  const ordered = order === 'asc' ? items : items.toReversed()
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  const data = ordered.slice(from, from + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + data.length < ordered.length,
  }
}
