import { wavFile } from './wav.ts'

/** Concatenates base64 values. The texts can be joined only where each but the last ends at a group boundary. */
export function joinBase64(values: readonly string[]): string {
  if (values.slice(0, -1).every((value) => value.length % 4 === 0 && !value.endsWith('='))) return values.join('')
  const decoded = values.map((value) => Uint8Array.fromBase64(value))
  const all = new Uint8Array(decoded.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const bytes of decoded) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all.toBase64()
}

/** Wraps 24 kHz PCM samples, as speech vendors send them, into a WAV file. */
export const wavOf = (pcm16: string) => wavFile(Uint8Array.fromBase64(pcm16), RATE).toBase64()

const RATE = 24_000
