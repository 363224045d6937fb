import { piecesOf, type Reply } from '../upstream/reply.ts'

/** A longer line is not a valid result. */
const LINE_MAX = 64 * 1024 * 1024

/** Parses JSON lines as they arrive: results may be far larger than memory allows. */
export async function* jsonLines(reply: Reply): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of piecesOf(reply)) {
    // Only the new text is searched: a long line arrives in thousands of chunks.
    const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n')
    rest += first
    if (rest.length > LINE_MAX) throw new Error('A line of batch results is too long')
    for (const line of lines) {
      if (rest.trim() !== '') yield JSON.parse(rest)
      rest = line
    }
  }
  const last = rest + decoder.decode()
  if (last.trim() !== '') yield JSON.parse(last)
}
