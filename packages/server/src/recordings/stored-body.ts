import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Vault } from '../security/vault.ts'
import { fittedText } from './fitted-text.ts'
import type { HeldBody } from './held-body.ts'
import { maskedSecrets } from './masked-secrets.ts'
import { mediaBySize } from './media-by-size.ts'

/** The rest of a longer body is not even scanned, because finding images means reading all of it. */
const SCANNED_MAX = 4 * 1024 * 1024

/** A stored body: without media and secrets, truncated to the agreed size, compressed, and encrypted for its place. */
export const storedBody = (body: HeldBody, { key, bytesMax, vault, place }: Storing) => {
  const text = body.read()
  const size = body.size ?? Buffer.byteLength(text)
  const isWhole = body.isWhole && text.length <= SCANNED_MAX
  const clean = maskedSecrets(mediaBySize(text.slice(0, SCANNED_MAX)), key)
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
  /** The encryption context: the call, and which of its bodies it is. */
  place: string
}
