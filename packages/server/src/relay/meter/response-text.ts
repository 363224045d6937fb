/*
 * How much text an answer carries, found by the names of its members and without parsing: this looks at every piece of
 * every stream.
 */

/** The members in which the dialects carry what a model wrote: text, reasoning, arguments of tools. */
const MEMBERS = ['content', 'reasoning_content', 'reasoning', 'delta', 'text', 'arguments', 'partial_json', 'thinking']
const patternOf = (names: readonly string[]) => new RegExp(`"(?:${names.join('|')})" *: *"`, 'g')
const TEXTS = patternOf(MEMBERS)
/** The Responses dialect says everything again at the end of each part; only what is new is counted. */
export const DELTAS = patternOf(['delta'])
/** Sound in a stream of events. */
export const SOUND = patternOf(['audio'])

/** One character for each byte, whatever they mean: searching a text is several times faster than searching bytes. */
export const byteText = (bytes: Uint8Array): string => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)

/** Bytes of text in members whose value is a string. */
export const contentBytes = (bytes: Uint8Array, members: RegExp = TEXTS): number =>
  contentLength(byteText(bytes), members)

/** The same, of a text that has a character for each byte. */
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

/** About four bytes make a token, in English as in most other scripts. */
export const BYTES_PER_TOKEN = 4
export const tokensOfBytes = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN)

/** The end of the text when its value goes on in the next piece. */
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
