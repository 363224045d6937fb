import { type Access, type UpstreamFailure, VendorError } from '@tollgate/providers'
import { type SentRequest, secretsOf } from './secrets.ts'

/**
 * Removes a channel's secrets from a vendor's messages. Some vendors repeat the rejected key, or the whole request, and the message
 * goes to callers, the log and notifications.
 */
export interface Mask {
  /** The secrets to mask, longest first. */
  secrets(): readonly string[]
  text(text: string): string
  failure(failure: UpstreamFailure): UpstreamFailure
  /** The same error without the secrets, including causes, which quote what the vendor sent. */
  error(error: unknown): unknown
}

const HIDDEN = '***'

/** For one call: the request may contain a token or signature derived from the key. Costs nothing until it is used. */
export const createMask = (access: Access, ...requests: readonly SentRequest[]): Mask => {
  let known: readonly string[] | undefined
  const secrets = () => {
    known ??= secretsOf(access, requests)
    return known
  }
  const text = (given: string) =>
    secrets().reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, HIDDEN) : rest), given)
  const orNull = (given: string | null) => (given === null ? null : text(given))
  const failure = (given: UpstreamFailure): UpstreamFailure => ({
    ...given,
    message: text(given.message),
    type: text(given.type),
    code: orNull(given.code),
    param: orNull(given.param),
  })
  const error = (given: unknown): unknown => {
    if (given instanceof VendorError) return new VendorError(failure(given.failure))
    if (!(given instanceof SyntaxError)) return given
    // The runtime's message quotes part of the unparsable text.
    return new SyntaxError(text(given.message))
  }
  return { secrets, text, failure, error }
}
