import { malformed } from './json.ts'
import { wavFile } from './wav.ts'

/** Concatenates base64 values. The texts can be joined only where each but the last ends at a group boundary. */
export function joinBase64(values: readonly string[]): string {
  if (values.slice(0, -1).every((value) => value.length % 4 === 0 && !value.endsWith('='))) return values.join('')
  const decoded = values.map(vendorBytes)
  const all = new Uint8Array(decoded.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const bytes of decoded) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all.toBase64()
}

/** The bytes that a vendor sent; a text that is not base64 is its failure. */
export function vendorBytes(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(base64)
  } catch (cause) {
    throw malformed(cause)
  }
}

/** The alphabet that other vendors require. Google takes both, and its library for Python writes the one of URLs. */
export const standardBase64 = (text: string) =>
  /[-_]/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : text

/** Wraps 24 kHz PCM samples, as speech vendors send them, into a WAV file. */
export const wavOf = (pcm16: string) => wavFile(vendorBytes(pcm16), RATE).toBase64()

const RATE = 24_000
