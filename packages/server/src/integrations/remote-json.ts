import type { z } from 'zod'
import { GatewayError } from '../common/errors.ts'
import type { Http } from '../upstream/http.ts'
import { EXTERNAL_TIMEOUT_MS } from './addresses.ts'

interface Question {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: Record<string, string>
}

/**
 * Calls a service and reads its answer as JSON. An unavailable service (network, 5xx, not JSON) is `outbound.failed`. Other
 * statuses are judged by the caller: several services answer a wrong code with 200.
 */
export async function remoteJson(http: Http, url: URL, { method = 'GET', headers = {}, body }: Question) {
  const { status, text } = await http.text(url, {
    policy: 'admin',
    timeoutMs: EXTERNAL_TIMEOUT_MS,
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (status >= 500) throw outOfOrder(url, `HTTP ${status}`)
  return { status, json: parse(text, url) }
}

/** The needed part of an answer, or undefined. */
export const read = <T>(schema: z.ZodType<T>, json: unknown) => schema.safeParse(json).data

function parse(text: string, url: URL): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw outOfOrder(url, 'not JSON')
  }
}

const outOfOrder = (url: URL, reason: string) =>
  new GatewayError('outbound.failed', {}, { cause: new Error(`${url.origin}: ${reason}`) })
