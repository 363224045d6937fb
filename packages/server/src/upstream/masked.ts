import type { Access, UpstreamFailure } from '@tollgate/providers'

/** Shorter ones are no secrets, and would be found in ordinary words. */
const SECRET_MIN = 8

/** A failure without the channel's secrets: some vendors repeat the key that they refuse, and callers read the sentence. */
export const masked = (failure: UpstreamFailure, access: Access): UpstreamFailure => {
  const message = maskedText(failure.message, access)
  return message === failure.message ? failure : { ...failure, message }
}

export const maskedText = (text: string, access: Access): string =>
  secretsOf(access).reduce((kept, secret) => kept.replaceAll(secret, '***'), text)

/** The whole key first, then its parts: several vendors' keys are made of two or three. */
function secretsOf({ key, config }: Access) {
  const stored = [key, config.sk, config.vertex_ai_adc].filter((secret) => secret !== undefined)
  return stored.flatMap((secret) => [secret, ...secret.split(/[|\s]/)]).filter(({ length }) => length >= SECRET_MIN)
}
