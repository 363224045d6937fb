import type { Call } from '../surfaces/call.ts'
import type { EstimateKind } from './media-tokens.ts'
import { likelyTokensOf, mostTokensOf } from './text-tokens.ts'

/** Cohere bills rerank by the search: a query with up to a hundred documents, of which a long one counts as several. */
const SOLD_BY_SEARCH = /(?:^|\/)rerank-(?:v\d|english|multilingual)/
const DOCUMENTS = 100
const DOCUMENT_TOKENS = 500

/** The searches a rerank call is, or may be, billed for; none for models billed by tokens. */
export const rankedUnits = ({ model, body }: Pick<Call, 'model' | 'body'>, judged: EstimateKind): number => {
  if (!SOLD_BY_SEARCH.test(model) || !Array.isArray(body.documents)) return 0
  const tokensOf = judged === 'most' ? (text: string) => mostTokensOf(text, true) : likelyTokensOf
  const pieces = body.documents.reduce<number>((sum, document) => {
    const text = typeof document === 'string' ? document : JSON.stringify(document)
    return sum + Math.max(1, Math.ceil(tokensOf(text) / DOCUMENT_TOKENS))
  }, 0)
  return Math.max(1, Math.ceil(pieces / DOCUMENTS))
}
