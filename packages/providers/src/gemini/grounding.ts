import type { ChatPart, Citation, TokenLogprob } from '../chat.ts'
import { characterOffset, citedRange } from '../citation.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../json.ts'

/** The sources of an answer: search results, and recited texts. */
export function citationsOf(choice: number, candidate: Fields, text: string): CitationPart[] {
  const { groundingChunks, groundingSupports } = fieldsOf(candidate.groundingMetadata)
  const pages = listOf(groundingChunks)
    .map(fieldsOf)
    .map(({ web, retrievedContext, maps }) => web ?? retrievedContext ?? maps)
  const supports = listOf(groundingSupports).map(fieldsOf)
  const sources = fieldsOf(candidate.citationMetadata)
  return [
    ...pages.flatMap((page, index) => {
      const places = supports.filter(({ groundingChunkIndices }) => listOf(groundingChunkIndices).includes(index))
      if (places.length === 0) return sourceAt(choice, page)
      return places.flatMap(({ segment }) => sourceAt(choice, page, placeIn(text, fieldsOf(segment))))
    }),
    ...listOf(sources.citationSources ?? sources.citations).flatMap((source) => sourceAt(choice, source)),
  ]
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
