/*
 * Measures the text in an answer by member names, without parsing: this runs for every chunk of every stream.
 */

/** The members in which the dialects carry model output: text, reasoning, tool arguments. */
const MEMBERS = ['content', 'reasoning_content', 'reasoning', 'delta', 'text', 'arguments', 'partial_json', 'thinking']
const patternOf = (names: readonly string[]) => new RegExp(`"(?:${names.join('|')})" *: *"`, 'g')
const TEXTS = patternOf(MEMBERS)
/** The Responses dialect repeats everything at the end of each part; only deltas are counted. */
export const DELTAS = patternOf(['delta'])
/** Audio in an event stream. */
export const AUDIO = patternOf(['audio'])

/** One character per byte: searching a string is several times faster than searching bytes. */
export const byteText = (bytes: Uint8Array): string => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)

/** Bytes of text in members with string values. */
export const contentBytes = (bytes: Uint8Array, members: RegExp = TEXTS): number =>
  contentLength(byteText(bytes), members)

/** The same for a string with one character per byte. */
export const contentLength = (text: string, members: RegExp = TEXTS): number => {
  let sum = 0
  members.lastIndex = 0
  while (members.test(text)) {
    const start = members.lastIndex
    const end = closingQuote(text, start)
    sum += end - start
    members.lastIndex = end + 1
  }
  return sum
}

/** About four bytes per token, in English as in most other scripts. */
export const BYTES_PER_TOKEN = 4
export const tokensOfBytes = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN)

/** The end of the text when its value continues in the next chunk. */
function closingQuote(text: string, from: number) {
  let end = text.indexOf('"', from)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, quote: number) {
  let slashes = 0
  while (text[quote - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
