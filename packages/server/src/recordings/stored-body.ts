import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Vault } from '../security/vault.ts'
import { fittedText } from './fitted-text.ts'
import type { HeldBody } from './held-body.ts'
import { maskedSecrets } from './masked-secrets.ts'
import { mediaBySize } from './media-by-size.ts'

/** Of a body that is longer, the rest is not even looked at: pictures are found by reading all of it. */
const LOOKED_AT_MAX = 4 * 1024 * 1024

/** A body as it is stored: without media and secrets, no longer than was agreed on, compressed, and sealed for its place. */
export const storedBody = (body: HeldBody, { key, bytesMax, vault, place }: Storing) => {
  const text = body.read()
  const size = body.size ?? Buffer.byteLength(text)
  const isWhole = body.isWhole && text.length <= LOOKED_AT_MAX
  const clean = maskedSecrets(mediaBySize(text.slice(0, LOOKED_AT_MAX)), key)
  const fitted = fittedText(clean, bytesMax)
  const kept = isWhole || fitted.cut ? fitted.text : `${fitted.text}\n…`
  return { sealed: vault.seal(deflateRawSync(kept), place), size, cut: fitted.cut || !isWhole }
}

export const openBody = (vault: Vault, sealed: string, place: string) =>
  inflateRawSync(vault.openBytes(sealed, place)).toString('utf8')

interface Storing {
  key: string
  bytesMax: number
  vault: Vault
  /** What the seal is bound to: the call, and which of its bodies it is. */
  place: string
}
