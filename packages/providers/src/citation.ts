import type { Citation } from './chat.ts'

/** Nobody reads more. Each is placed in the text, and overlapping ones are repeated for every piece of it. */
export const CITATIONS_MAX = 1000

/** The cited range; vendors that do not report one send nothing, or 0 to 0. */
export function citedRange(start: unknown, end: unknown): Pick<Citation, 'start' | 'end'> {
  if (typeof start !== 'number' || typeof end !== 'number' || end <= start) return {}
  return { start, end }
}

/** The same source cited at two places counts twice. */
export const citationKey = ({ url, start, end }: Citation) => `${start ?? ''}-${end ?? ''} ${url}`

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Google counts offsets in bytes, everyone else in characters. */
export const byteOffset = (text: string, characters: number) => encoder.encode(text.slice(0, characters)).length
export const characterOffset = (text: string, bytes: number) =>
  decoder.decode(encoder.encode(text).subarray(0, bytes)).length
