import type { ChatPart, Citation, TokenLogprob } from '../chat.ts'
import { CITATIONS_MAX, characterOffset, citedRange } from '../citation.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../json.ts'

/** The sources of an answer: search results, and recited texts. */
export function citationsOf(choice: number, candidate: Fields, text: string): CitationPart[] {
  const { groundingChunks, groundingSupports } = fieldsOf(candidate.groundingMetadata)
  const pages = listOf(groundingChunks)
    .map(fieldsOf)
    .map(({ web, retrievedContext, maps }) => web ?? retrievedContext ?? maps)
  const segments = segmentsByPage(listOf(groundingSupports))
  const sources = fieldsOf(candidate.citationMetadata)
  const cited = [
    ...pages.flatMap((page, index) => (segments.get(index) ?? [undefined]).map((segment) => ({ page, segment }))),
    ...listOf(sources.citationSources ?? sources.citations).map((page) => ({ page, segment: undefined })),
  ]
  return cited
    .slice(0, CITATIONS_MAX)
    .flatMap(({ page, segment }) => sourceAt(choice, page, segment === undefined ? {} : placeIn(text, segment)))
}

/** The cited segments of each page. */
function segmentsByPage(supports: readonly unknown[]) {
  const segments = new Map<unknown, Fields[]>()
  for (const { segment, groundingChunkIndices } of supports.map(fieldsOf)) {
    for (const page of new Set(listOf(groundingChunkIndices))) {
      const known = segments.get(page)
      if (known === undefined) segments.set(page, [fieldsOf(segment)])
      else known.push(fieldsOf(segment))
    }
  }
  return segments
}

type CitationPart = Extract<ChatPart, { type: 'citation' }>

function sourceAt(choice: number, source: unknown, place: Pick<Citation, 'start' | 'end'> = {}): CitationPart[] {
  const { uri, title } = fieldsOf(source)
  if (typeof uri !== 'string') return []
  const name = textOf(title)
  return [{ type: 'citation', choice, url: uri, ...(name === undefined ? {} : { title: name }), ...place }]
}

/** A range at the very beginning has no start index. */
function placeIn(text: string, { startIndex = 0, endIndex }: Fields) {
  if (typeof startIndex !== 'number' || typeof endIndex !== 'number') return {}
  return citedRange(characterOffset(text, startIndex), characterOffset(text, endIndex))
}

export function logprobsOf(choice: number, candidate: Fields): ChatPart[] {
  const { chosenCandidates, topCandidates } = fieldsOf(candidate.logprobsResult)
  const tops = listOf(topCandidates)
  const tokens = listOf(chosenCandidates).flatMap((chosen, index): TokenLogprob[] =>
    tokenAt(chosen).map((own) => ({ ...own, top: listOf(fieldsOf(tops[index]).candidates).flatMap(tokenAt) })),
  )
  return tokens.length === 0 ? [] : [{ type: 'logprobs', choice, tokens }]
}

function tokenAt(value: unknown): { token: string; logprob: number }[] {
  const { token, logProbability } = fieldsOf(value)
  return typeof token === 'string' && typeof logProbability === 'number' ? [{ token, logprob: logProbability }] : []
}
