/*
 * How much text an answer carries, found by the names of its members and without parsing: this looks at every piece of
 * every stream.
 */

/** The members in which the dialects carry what a model wrote: text, reasoning, arguments of tools. */
const MEMBERS = ['content', 'reasoning_content', 'reasoning', 'delta', 'text', 'arguments', 'partial_json', 'thinking']
const marksOf = (names: readonly string[]) => names.map((name) => Buffer.from(`"${name}"`))
const MARKS = marksOf(MEMBERS)
/** The Responses dialect says everything again at the end of each part; only what is new is counted. */
export const DELTAS = marksOf(['delta'])

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
const SPACE = 32

/** Bytes of text in members whose value is a string. */
export const contentBytes = (bytes: Uint8Array, marks: readonly Buffer[] = MARKS): number => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0
  for (const mark of marks) sum += textAfter(buffer, mark)
  return sum
}

/** About four bytes make a token, in English as in most other scripts. */
export const tokensOfBytes = (bytes: number) => Math.ceil(bytes / 4)

function textAfter(buffer: Buffer, mark: Buffer) {
  let sum = 0
  for (let at = buffer.indexOf(mark); at !== -1; at = buffer.indexOf(mark, at)) {
    const start = valueAt(buffer, at + mark.length)
    at = start
    if (buffer[start] !== QUOTE) continue
    const end = closingQuote(buffer, start + 1)
    sum += end - start - 1
    at = end
  }
  return sum
}

/** Some vendors write a space after the colon. */
function valueAt(buffer: Buffer, from: number) {
  let at = from
  while (buffer[at] === SPACE) at++
  if (buffer[at] !== COLON) return at
  at++
  while (buffer[at] === SPACE) at++
  return at
}

/** The end of the buffer when the text goes on in the next piece. */
function closingQuote(buffer: Buffer, from: number) {
  let end = buffer.indexOf(QUOTE, from)
  while (end !== -1 && isEscaped(buffer, end)) end = buffer.indexOf(QUOTE, end + 1)
  return end === -1 ? buffer.length : end
}

function isEscaped(buffer: Buffer, quote: number) {
  let slashes = 0
  while (buffer[quote - 1 - slashes] === BACKSLASH) slashes++
  return slashes % 2 === 1
}
