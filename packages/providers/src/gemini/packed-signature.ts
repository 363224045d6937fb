import { standardBase64 } from '../base64.ts'
import { redactedIn, redactedOut, signatureFor } from '../signature.ts'

/*
 * Google's libraries read a signature as bytes and write it again in the alphabet of base64 that their language prefers: a mark would return
 * from Python as another text, and a signature that is no base64 breaks the whole answer. What other vendors signed is packed, mark and all.
 */

/** "tollgate/", the beginning of every mark, which is the same in both alphabets. */
export const PACKED = 'dG9sbGdhdGUv'

/** For a client of Google's dialect: Google's own signatures as they are. */
export const signatureToGoogle = (signature: string) => signatureFor('gemini', signature) ?? packed(signature)

export const redactedToGoogle = (redacted: string) => packed(redactedOut(redacted))

/** From such a client, marked unless Google signed it. */
export function unpacked(signature: string): string {
  if (!signature.startsWith(PACKED)) return signature
  try {
    return decoder.decode(Uint8Array.fromBase64(standardBase64(signature)))
  } catch {
    return signature
  }
}

export const redactedFromGoogle = (signature: string | undefined) =>
  signature === undefined ? undefined : redactedIn(unpacked(signature))

const packed = (signature: string) => new TextEncoder().encode(signature).toBase64()

const decoder = new TextDecoder()
