import type { Citation } from '../chat.ts'

interface Place {
  /** Where the text begins in all that was said. */
  start: number
  /** What holds for the whole answer goes to its last text. */
  isLast: boolean
}

/** A text as blocks, each with the sources on which all of its words rest: this dialect has no other word for a place. */
export function citedText(text: string, citations: readonly Citation[], { start, isLast }: Place): object[] {
  const end = start + text.length
  const placed = citations.flatMap((citation) => {
    const { start: from, end: to } = citation
    return from === undefined || to === undefined || from >= end || to <= start ? [] : [{ citation, from, to }]
  })
  const unplaced = isLast ? citations.filter((citation) => citation.start === undefined) : []
  const cuts = [start, end, ...placed.flatMap(({ from, to }) => [from, to])].filter((at) => at >= start && at <= end)
  const edges = [...new Set(cuts)].sort((one, other) => one - other)
  const pieces = edges.slice(1).map((to, index) => {
    const from = edges[index] ?? start
    const sources = placed.filter((place) => place.from <= from && place.to >= to).map(({ citation }) => citation)
    return { text: text.slice(from - start, to - start), sources }
  })
  const blocks = joined(pieces)
  blocks.at(-1)?.sources.push(...unplaced)
  return blocks.map((piece) => ({
    type: 'text',
    text: piece.text,
    citations: piece.sources.length === 0 ? null : piece.sources.map(toCitation),
  }))
}

interface Piece {
  text: string
  sources: Citation[]
}

/** A block without a word in it would be refused when it comes back. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (last !== undefined && (piece.text.trim() === '' || last.text.trim() === '')) {
      last.text += piece.text
      last.sources.push(...piece.sources)
    } else all.push(piece)
  }
  return all.length === 0 ? [{ text: '', sources: [] }] : all
}

export const toCitation = ({ url, title, document }: Citation) =>
  document === undefined
    ? { type: 'web_search_result_location', url, title: title ?? null, cited_text: '', encrypted_index: '' }
    : {
        ...{ type: 'char_location', cited_text: '', document_index: 0, document_title: title ?? url, file_id: url },
        ...{ start_char_index: 0, end_char_index: 0 },
      }
