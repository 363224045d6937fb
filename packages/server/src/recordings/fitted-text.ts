import { isTooDeep } from '../common/too-deep.ts'

/** Length limits for the texts in a body that is too long, tried one after the other. */
const TEXT_MAX = [16_384, 4096, 1024, 256, 64]

/**
 * Truncates a text to a number of bytes, with a mark where something is missing. In JSON the long strings are shortened, so that it
 * still reads as a conversation; other text is cut at the end.
 */
export const fittedText = (text: string, bytesMax: number): { text: string; cut: boolean } => {
  const size = Buffer.byteLength(text)
  if (size <= bytesMax) return { text, cut: false }
  const parsed = parsedJson(text)
  for (const max of parsed === undefined ? [] : TEXT_MAX) {
    const shorter = JSON.stringify(parsed, (_, value: unknown) => shortened(value, max))
    if (Buffer.byteLength(shorter) <= bytesMax) return { text: shorter, cut: true }
  }
  // Not in the middle of a character.
  const start = new TextDecoder().decode(Buffer.from(text).subarray(0, bytesMax), { stream: true })
  return { text: `${start}\n… [${size - Buffer.byteLength(start)} more bytes]`, cut: true }
}

function shortened(value: unknown, max: number) {
  if (typeof value !== 'string' || value.length <= max) return value
  return `${value.slice(0, max).toWellFormed()}… [${value.length - max} more characters]`
}

function parsedJson(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    const value: object = JSON.parse(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}
