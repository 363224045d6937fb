import { failureOf, inputTokens, NO_USAGE, type Provider, VendorError } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import { countInput } from '../meter/estimate.ts'
import type { Call } from '../surfaces/call.ts'
import { notText, textsIn } from '../surfaces/call-members.ts'
import type { OperationAdapter } from './operation-adapter.ts'

/** Rerank results, in the format that Jina and Cohere established. */
export const rerankAdapter: OperationAdapter = {
  suits: (_, { provider }) => provider?.rerank !== undefined,

  encode(call, { route, access, context, model }) {
    const { query, top_n } = call.body
    if (typeof query !== 'string') throw notText('query')
    const best = typeof top_n === 'number' ? { topN: top_n } : {}
    return adapterOf(route).encode({ model, query, documents: documentsOf(call), ...best }, access, context)
  },

  show(call, route, body) {
    const { results, usage } = adapterOf(route).decode(body)
    const texts = call.body.return_documents === true ? documentsOf(call) : undefined
    const shown = results.map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(texts === undefined ? {} : { document: { text: texts[index] ?? '' } }),
    }))
    const tokens = inputTokens(usage ?? NO_USAGE)
    const counts = { prompt_tokens: tokens, total_tokens: tokens }
    // Vendors that bill by the search report no tokens, but an operator's ratio is still a token price.
    const counted = usage === undefined || tokens > 0 ? usage : { ...usage, input: countInput(call).input }
    return { shown: { object: 'list', model: call.model, results: shown, usage: counts }, usage: counted }
  },
}

function adapterOf({ provider }: Route): NonNullable<Provider['rerank']> {
  if (provider?.rerank === undefined) throw new VendorError(failureOf('client', 'This channel does not offer rankings'))
  return provider.rerank
}

/** Texts, or objects with one. */
function documentsOf({ body: { documents } }: Call): string[] {
  const texts = Array.isArray(documents) ? documents.map((item) => item?.text ?? item) : documents
  return textsIn(texts, 'documents')
}
