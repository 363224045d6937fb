import { wavFile } from './wav.ts'

/** Two pieces of data as one. Text can be put together only where the first piece ends at a whole group of characters. */
export function joinBase64(one: string, other: string): string {
  if (one.length % 4 === 0 && !one.endsWith('=')) return one + other
  const [first, second] = [Uint8Array.fromBase64(one), Uint8Array.fromBase64(other)]
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both.toBase64()
}

/** What vendors of speech send, samples at 24 kHz, as a file. */
export const wavOf = (pcm16: string) => wavFile(Uint8Array.fromBase64(pcm16), RATE).toBase64()

const RATE = 24_000
