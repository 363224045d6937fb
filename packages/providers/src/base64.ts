import { wavFile } from './wav.ts'

/** Concatenates two base64 values. The texts can be joined only if the first ends at a group boundary. */
export function joinBase64(one: string, other: string): string {
  if (one.length % 4 === 0 && !one.endsWith('=')) return one + other
  const [first, second] = [Uint8Array.fromBase64(one), Uint8Array.fromBase64(other)]
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both.toBase64()
}

/** Wraps 24 kHz PCM samples, as speech vendors send them, into a WAV file. */
export const wavOf = (pcm16: string) => wavFile(Uint8Array.fromBase64(pcm16), RATE).toBase64()

const RATE = 24_000
