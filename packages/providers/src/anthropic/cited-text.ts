import type { Citation } from '../chat.ts'

interface Place {
  /** Offset of this text in the whole answer. */
  start: number
  /** Citations of the whole answer are attached to its last text. */
  isLast: boolean
}

/**
 * Splits a text into blocks with the citations of each: this dialect has no offsets. A block without citations has no such member, as
 * Anthropic sends it; its type permits null, which clients reject.
 */
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
    ...(piece.sources.length === 0 ? {} : { citations: piece.sources.map(toCitation) }),
  }))
}

interface Piece {
  text: string
  sources: Citation[]
}

/** Anthropic would refuse a blank block when it comes back. */
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
    ? { type: 'web_search_result_location', url, title: title ?? url, cited_text: '', encrypted_index: '' }
    : {
        ...{ type: 'char_location', cited_text: '', document_index: 0, document_title: title ?? url, file_id: url },
        ...{ start_char_index: 0, end_char_index: 0 },
      }
