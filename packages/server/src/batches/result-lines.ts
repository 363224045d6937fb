import { piecesOf, type Reply } from '../upstream/reply.ts'

/** No answer is longer; whatever is, is no list of lines. */
const LINE_MAX = 64 * 1024 * 1024

/** The lines of an answer that may be far larger than what we would keep in memory. */
export async function* jsonLines(reply: Reply): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of piecesOf(reply)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) throw new Error('The results of a batch have an endless line')
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line)
  }
  const last = rest + decoder.decode()
  if (last.trim() !== '') yield JSON.parse(last)
}
