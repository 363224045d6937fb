import { type Provider, rateLimitReset, retryAfter, retryDelay, VendorError } from '@tollgate/providers'
import { asHeaders, type HeaderLines } from './http1/header-lines.ts'

interface Refused {
  status: number
  body: string
  headers: HeaderLines
}

/** Interprets an error response of a vendor, including the time to wait. */
export const vendorRefusal = (provider: Provider, { status, body, headers }: Refused, nowMs: number): VendorError => {
  const failure = provider.explain(status, body, asHeaders(headers))
  const retryAfterSec =
    retryAfter(headers, nowMs) ??
    failure.retryAfterSec ??
    (failure.class === 'rate' ? (retryDelay(body) ?? rateLimitReset(headers)) : undefined)
  return new VendorError(retryAfterSec === undefined ? failure : { ...failure, retryAfterSec })
}
