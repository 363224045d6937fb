import type { ChatPart, TokenLogprob } from '../chat.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../json.ts'

/** Where an answer comes from: pages of a search, and texts that it repeats. */
export function citationsOf(choice: number, candidate: Fields): Extract<ChatPart, { type: 'citation' }>[] {
  const pages = listOf(fieldsOf(candidate.groundingMetadata).groundingChunks)
    .map(fieldsOf)
    .map(({ web, retrievedContext, maps }) => web ?? retrievedContext ?? maps)
  const sources = fieldsOf(candidate.citationMetadata)
  return [...pages, ...listOf(sources.citationSources ?? sources.citations)].map(fieldsOf).flatMap(({ uri, title }) => {
    if (typeof uri !== 'string') return []
    const name = textOf(title)
    return [{ type: 'citation' as const, choice, url: uri, ...(name === undefined ? {} : { title: name }) }]
  })
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
