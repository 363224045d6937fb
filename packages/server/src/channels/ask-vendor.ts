import { type UpstreamRequest, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../errors.ts'
import type { Http } from '../upstream/http.ts'
import { createMask } from '../upstream/mask.ts'

const TIMEOUT_MS = 15_000
/** A reseller's list of models, with prices and descriptions, is some megabytes long. */
const BODY_MAX_BYTES = 16 * 1024 * 1024

type Refusal = 'channel.balance_failed' | 'channel.models_failed'

interface Question<T> {
  requests: readonly UpstreamRequest[]
  read(bodies: unknown[]): T
  refusal: Refusal
}

/** Puts questions to a vendor's own pages, one after the other, and reads the answers. Why it failed is told. */
export const askVendor = async <T>(
  http: Http,
  { provider, access }: Route,
  { requests, read, refusal }: Question<T>,
) => {
  const mask = createMask(access, ...requests)
  const bodies: unknown[] = []
  for (const { url, method, headers, body } of requests) {
    const { status, text } = await http.text(url, {
      policy: 'admin',
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: BODY_MAX_BYTES,
    })
    if (status >= 400) {
      const reason = provider?.explain(status, mask.text(text), new Headers()).message ?? `status ${status}`
      throw new GatewayError(refusal, { reason: mask.text(reason) })
    }
    bodies.push(parsed(text, refusal))
  }
  try {
    return read(bodies)
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    throw new GatewayError(refusal, { reason: mask.text(error.failure.message) })
  }
}

function parsed(text: string, refusal: Refusal): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError(refusal, { reason: 'JSON' })
  }
}
