import { GatewayError } from '../../common/errors.ts'

/** Far longer than any vendor's list of betas. */
const VALUE = /^[\t\x20-\x7e]{0,4096}$/

/**
 * The caller's headers of these names, for the vendor. One that cannot be sent, or that a vendor would refuse before reading the request, is
 * the caller's error: otherwise it would count as a failure of the channel, and whoever sends a few of them could have it disabled.
 */
export const forwardedHeaders = (headers: Headers, names: readonly string[]): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = headers.get(name)
    if (value === null) continue
    if (!VALUE.test(value)) throw new GatewayError('relay.bad_body', { reason: name })
    found[name] = value
  }
  return found
}
