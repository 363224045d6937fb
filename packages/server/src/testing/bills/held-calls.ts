import { TOKEN_SAMPLES } from '../token-samples.ts'
import { asked, type HeldCall } from './held-call.ts'
import { heldChats } from './held-chats.ts'
import { heldFiles } from './held-files.ts'
import { heldMedia } from './held-media.ts'

const translated = ['Tide', 'High tide is at nine. '.repeat(40), '九点涨潮。'.repeat(100)].map((content) => ({
  ...{ name: `deepl-de: ${content.length} characters`, vendor: 38, model: 'deepl-de', path: '/v1/chat/completions' },
  body: { model: 'deepl-de', messages: [{ role: 'assistant', content: 'Yes?' }, ...asked(content)] },
  reply: () => Response.json({ translations: [{ text: 'Flut.', billed_characters: [...content].length }] }),
}))

/** A search unit is a query with up to a hundred documents; a long document counts as several. */
const ranked = [2, 100, 101, 350].map((count) => ({
  ...{ name: `rerank-v3.5: ${count} documents`, vendor: 35, model: 'rerank-v3.5', path: '/v1/rerank' },
  body: { model: 'rerank-v3.5', query: 'tide', documents: Array.from({ length: count }, (_, at) => `Page ${at}`) },
  reply: () => {
    const meta = { billed_units: { search_units: Math.ceil(count / 100) } }
    return Response.json({ id: 'r', results: [{ index: 0, relevance_score: 0.9 }], meta })
  },
}))

const embedded = TOKEN_SAMPLES.slice(0, 12).map(({ name, text, cl100k }) => ({
  ...{ name: `text-embedding-3-large: ${name}`, vendor: 1, model: 'text-embedding-3-large', path: '/v1/embeddings' },
  body: { model: 'text-embedding-3-large', input: Array.from({ length: 20 }, () => text) },
  reply: () => {
    const data = [{ object: 'embedding', index: 0, embedding: [0.5] }]
    return Response.json({ object: 'list', data, usage: { prompt_tokens: cl100k * 20, total_tokens: cl100k * 20 } })
  },
}))

/** Calls of every operation, to compare their holds with their charges. */
export const HELD_CALLS: readonly HeldCall[] = [
  ...heldChats,
  ...heldFiles,
  ...heldMedia,
  ...translated,
  ...ranked,
  ...embedded,
]
