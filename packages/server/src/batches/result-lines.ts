import { piecesOf, type Reply } from '../upstream/reply.ts'

/** A longer line is not a valid result. */
const LINE_MAX = 64 * 1024 * 1024

/** Parses JSON lines as they arrive: results may be far larger than memory allows. */
export async function* jsonLines(reply: Reply): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of piecesOf(reply)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) throw new Error('A line of batch results is too long')
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line)
  }
  const last = rest + decoder.decode()
  if (last.trim() !== '') yield JSON.parse(last)
}
