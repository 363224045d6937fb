import type { UpstreamRequest } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../errors.ts'
import type { Http } from '../upstream/http.ts'

const TIMEOUT_MS = 15_000

/** Puts questions to a vendor's own pages, one after the other, and answers the parsed bodies. */
export const askVendor = async (http: Http, { provider }: Route, questions: readonly UpstreamRequest[]) => {
  const bodies: unknown[] = []
  for (const { url, method, headers, body } of questions) {
    const { status, text } = await http.text(url, {
      policy: 'admin',
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      timeoutMs: TIMEOUT_MS,
    })
    if (status >= 400) {
      const reason = provider?.explain(status, text, new Headers()).message ?? `status ${status}`
      throw new GatewayError('channel.balance_failed', { reason })
    }
    bodies.push(parsed(text))
  }
  return bodies
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError('channel.balance_failed', { reason: 'JSON' })
  }
}
