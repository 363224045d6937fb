import type { ApiFamily } from '../surfaces/api-family.ts'

/*
 * Measures the text in an answer by member names, without parsing: this runs for every chunk of every stream.
 */

/** The members in which the dialects carry model output: text, reasoning, refusals, tool arguments. */
const MEMBERS = [
  ...['content', 'reasoning_content', 'reasoning', 'delta', 'text', 'refusal'],
  ...['arguments', 'partial_json', 'thinking'],
]
const patternOf = (names: readonly string[]) => new RegExp(`"(?:${names.join('|')})" *: *"`, 'g')
const TEXTS = patternOf(MEMBERS)
/** Anthropic and Google send the arguments of a tool as an object. */
const withObject = (name: string) => new RegExp(`${TEXTS.source}|"${name}" *: *\\{`, 'g')
const WITH_INPUT = withObject('input')
const WITH_ARGS = withObject('args')
/** The Responses dialect repeats everything at the end of each part; only deltas are counted. */
export const DELTAS = patternOf(['delta'])
/** Audio in an event stream. */
export const AUDIO = patternOf(['audio'])

/** The members with output in an answer of this operation. */
export const outputMembers = ({ family }: { family: ApiFamily }) =>
  family === 'anthropic' ? WITH_INPUT : family === 'google' ? WITH_ARGS : TEXTS

/** One character per byte: searching a string is several times faster than searching bytes. */
export const byteText = (bytes: Uint8Array): string => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)

/** Bytes of text in members with string values, and of arguments. */
export const contentBytes = (bytes: Uint8Array, members: RegExp = TEXTS): number =>
  contentLength(byteText(bytes), members)

/** The same for a string with one character per byte. */
export const contentLength = (text: string, members: RegExp = TEXTS): number => {
  let sum = 0
  members.lastIndex = 0
  while (members.test(text)) {
    const start = members.lastIndex
    const end = text[start - 1] === '{' ? closingBrace(text, start) : closingQuote(text, start)
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

function closingBrace(text: string, from: number) {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = closingQuote(text, at + 1)
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at
  }
  return text.length
}

function isEscaped(text: string, quote: number) {
  let slashes = 0
  while (text[quote - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
