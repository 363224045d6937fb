import type { EndpointShape } from '@tollgate/contract'
import { randomUuid } from '../lib/browser/random-uuid.ts'

interface Unanswered {
  body: string
  key: string
}

/** The last unanswered request by endpoint. */
const unanswered = new Map<EndpointShape, Unanswered>()

/**
 * The key under which a creation is sent. It stays the same while the same form is resent without an answer, so that the server
 * creates it once; another input, or an answer, gets a new one.
 */
export function idempotencyKey(endpoint: EndpointShape, body: string) {
  const last = unanswered.get(endpoint)
  if (last?.body === body) return last.key
  const key = randomUuid()
  unanswered.set(endpoint, { body, key })
  return key
}

/** The server has answered: the next request is a new one, even with the same input. */
export const forgetIdempotencyKey = (endpoint: EndpointShape) => void unanswered.delete(endpoint)
