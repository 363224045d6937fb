import { z } from 'zod'
import { failureOf, VendorError } from '../failure.ts'
import { parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { EmbeddingsAdapter, Provider } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { readOpenAiUsage } from './usage.ts'

const Embedded = z.looseObject({
  data: z.array(z.looseObject({ index: z.int().nullish(), embedding: z.array(z.number()) })),
})

/** A vendor's embeddings, in its own format or OpenAI's, for callers of another dialect. */
export function embeddingsOf(provider: Provider, access: Access, model: string): EmbeddingsAdapter | undefined {
  const { openai, embeddings } = provider
  if (embeddings !== undefined) return embeddings
  return openai?.url('embeddings', access, model) === undefined ? undefined : inOpenAis(openai)
}

const inOpenAis = (openai: NonNullable<Provider['openai']>): EmbeddingsAdapter => ({
  encode({ model, input, dimensions }, access) {
    const url = openai.url('embeddings', access, model)
    if (url === undefined) throw new VendorError(failureOf('client', 'This channel does not offer embeddings'))
    return postJson(url, openai.headers(access), { model, input, dimensions, encoding_format: 'float' })
  },
  decode(body) {
    // Without an index, as from Google, they are in order.
    const rows = parseVendor(Embedded, body).data.map(({ index, embedding }, at) => ({ at: index ?? at, embedding }))
    const vectors = rows.toSorted((one, other) => one.at - other.at).map(({ embedding }) => embedding)
    return { vectors, usage: readOpenAiUsage(body) }
  },
})
