import type { EndpointShape } from '@tollgate/contract'
import { randomUuid } from '../lib/random-uuid.ts'

interface Unanswered {
  body: string
  key: string
}

/** What was sent last and has no answer yet, by endpoint. */
const unanswered = new Map<EndpointShape, Unanswered>()

/**
 * The key under which a creation is sent. It stays the same as long as the same form is sent without an answer, so that
 * the server makes the thing once; another input, or an answer, brings a new one.
 */
export function idempotencyKey(endpoint: EndpointShape, body: string) {
  const last = unanswered.get(endpoint)
  if (last?.body === body) return last.key
  const key = randomUuid()
  unanswered.set(endpoint, { body, key })
  return key
}

/** The server has answered: what is sent now is another wish, however equal. */
export const forgetIdempotencyKey = (endpoint: EndpointShape) => void unanswered.delete(endpoint)
