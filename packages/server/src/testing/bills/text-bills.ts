import { billedAt, dollarsOf } from './bill.ts'
import { openAiBody } from './chat-bills.ts'
import { EMBEDDINGS, RERANK_MODELS, SEARCH_MODELS, TRANSLATION_MODELS } from './list-prices.ts'
import { chat } from './reports.ts'

/** Texts whose characters, UTF-16 units and bytes differ. */
export const CHARACTER_INPUTS = ['Tide', 'When is high tide?', '几点涨潮？', '🌊🌊🌊', 'x'.repeat(4096), 'naïve café']

const embeddingBills = EMBEDDINGS.flatMap((price) =>
  [1, 999, 199_000].map((input) => ({
    ...{ ...billedAt(price, 'embeddings', '/v1/embeddings'), edge: `${input} tokens` },
    body: { model: price.model, input: 'tide' },
    reply: () => {
      const data = [{ object: 'embedding', index: 0, embedding: [0.5] }]
      return Response.json({ object: 'list', data, usage: { prompt_tokens: input, total_tokens: input } })
    },
    dollars: dollarsOf({ input }, price.rates),
  })),
)

const rerankBills = RERANK_MODELS.flatMap((price) =>
  [1, 3, 12].map((search_units) => ({
    ...{ ...billedAt(price, 'rerank', '/v1/rerank'), edge: `${search_units} search units` },
    body: { model: price.model, query: 'tide', documents: ['High', 'Low'] },
    reply: () => {
      const results = [{ index: 0, relevance_score: 0.9 }]
      return Response.json({ id: 'r', results, meta: { billed_units: { search_units } } })
    },
    dollars: dollarsOf({ fileSearches: search_units }, price.rates),
  })),
)

const translationBills = TRANSLATION_MODELS.flatMap((price) =>
  CHARACTER_INPUTS.map((content) => ({
    ...{ ...billedAt(price, 'chat', '/v1/chat/completions'), edge: `${[...content].length} characters` },
    body: { model: price.model, messages: [{ role: 'user', content }] },
    reply: () => {
      const [text, billed_characters] = ['Flut.', [...content].length]
      return Response.json({ translations: [{ detected_source_language: 'EN', text, billed_characters }] })
    },
    dollars: dollarsOf({ characters: [...content].length }, price.rates),
  })),
)

const searchBills = SEARCH_MODELS.flatMap((price) =>
  [undefined, 'low', 'medium', 'high'].flatMap((size) =>
    [false, true].map((stream) => {
      const used = { input: 100, output: 700 }
      const web_search_options = size === undefined ? {} : { web_search_options: { search_context_size: size } }
      return {
        ...billedAt(price, 'chat', '/v1/chat/completions'),
        edge: `search context ${size ?? 'not said'}${stream ? ', streamed' : ''}`,
        body: { ...openAiBody(price.model, stream), ...web_search_options },
        reply: () => chat({ model: price.model, used, stream }),
        dollars: dollarsOf(used, price.rates) + (price.rates[size ?? 'low'] ?? 0) / 1000,
      }
    }),
  ),
)

export const textBills = [...translationBills, ...searchBills, ...embeddingBills, ...rerankBills]
