import { type Access, type UpstreamFailure, VendorError } from '@tollgate/providers'
import { type SentRequest, secretsOf } from './secrets.ts'

/**
 * Takes a channel's secrets out of what its vendor says. Some vendors repeat the key that they refuse, or all of the
 * request, and the sentence goes to callers, into the log and into messages.
 */
export interface Mask {
  /** What is looked for, the longest first. */
  secrets(): readonly string[]
  text(text: string): string
  failure(failure: UpstreamFailure): UpstreamFailure
  /** The same error without the secrets, causes included: they quote what the vendor sent. */
  error(error: unknown): unknown
}

const HIDDEN = '***'

/** Of one call: what was sent may hold a token or a signature that was made of the key. Costs nothing until it is used. */
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
    // The runtime's words quote a piece of what could not be read.
    return new SyntaxError(text(given.message))
  }
  return { secrets, text, failure, error }
}
