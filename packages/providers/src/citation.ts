import type { Citation } from './chat.ts'

/** The words of an answer that rest on a source; vendors that do not say which write nothing, or from 0 to 0. */
export function placeOf(start: unknown, end: unknown): Pick<Citation, 'start' | 'end'> {
  if (typeof start !== 'number' || typeof end !== 'number' || end <= start) return {}
  return { start, end }
}

/** Two mentions of one source are two where they stand at two places. */
export const citationKey = ({ url, start, end }: Citation) => `${start ?? ''}-${end ?? ''} ${url}`

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Google counts places in bytes, everybody else in characters. */
export const byteOffset = (text: string, characters: number) => encoder.encode(text.slice(0, characters)).length
export const characterOffset = (text: string, bytes: number) =>
  decoder.decode(encoder.encode(text).subarray(0, bytes)).length
