import { z } from 'zod'
import type { ChatAdapter } from '../chat-adapter.ts'
import { parseVendor } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { usageOf } from '../usage.ts'
import { COHERE_MEMBERS, toChatBody } from './body.ts'
import { decodeReply, streamDecoder } from './reply.ts'

const unsupported: Unsupported = {
  refuse: ['audio', 'n', 'logprobs', 'input_audio', 'file', 'messages.tool.image_url'],
  drop: ['top_logprobs', 'user', 'parallel_tool_calls'],
}

const authorize = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

const chat: ChatAdapter = {
  framing: 'sse',
  carries: () => COHERE_MEMBERS,
  encode(request, access) {
    refuseUnsupported('Cohere', unsupported, request)
    return postJson(`${access.baseUrl}/v2/chat`, authorize(access), toChatBody(request))
  },
  decode: decodeReply,
  streamDecoder,
}

const BilledInput = z.object({ meta: z.object({ billed_units: z.object({ input_tokens: z.number() }) }) })
const BilledSearches = z.object({ meta: z.object({ billed_units: z.object({ search_units: z.number() }) }) })
const Embedded = z.object({ embeddings: z.object({ float: z.array(z.array(z.number())) }) })
const Ranked = z.object({ results: z.array(z.object({ index: z.int(), relevance_score: z.number() })) })
const Models = z.object({ models: z.array(z.object({ name: z.string() })) })

/** Cohere's v2 API. */
export const cohere: Provider = {
  name: 'cohere',
  baseUrl: 'https://api.cohere.com',
  unsupported,
  chat,
  embeddings: {
    encode: ({ model, input, dimensions }, access) =>
      postJson(`${access.baseUrl}/v2/embed`, authorize(access), {
        model,
        texts: input,
        // Required, and OpenAI has no parameter for it: embedded texts are mostly documents to be searched.
        input_type: 'search_document',
        embedding_types: ['float'],
        output_dimension: dimensions,
      }),
    decode(body) {
      const billed = BilledInput.safeParse(body).data?.meta.billed_units
      return {
        vectors: parseVendor(Embedded, body).embeddings.float,
        usage: billed === undefined ? undefined : usageOf({ input: billed.input_tokens }),
      }
    },
  },
  rerank: {
    encode: ({ model, query, documents, topN }, access) =>
      postJson(`${access.baseUrl}/v2/rerank`, authorize(access), { model, query, documents, top_n: topN }),
    // Reranking is billed by the search, not by the token: many or long documents count as several.
    decode(body) {
      const searches = BilledSearches.safeParse(body).data?.meta.billed_units.search_units
      return {
        results: parseVendor(Ranked, body).results.map(({ index, relevance_score }) => ({
          index,
          score: relevance_score,
        })),
        usage: searches === undefined ? undefined : usageOf({ fileSearches: searches }),
      }
    },
  },
  models: {
    request: (access) => ({
      method: 'GET',
      url: `${access.baseUrl}/v1/models?page_size=1000`,
      headers: authorize(access),
    }),
    read: (body) => parseVendor(Models, body).models.map(({ name }) => name),
  },
  explain: explainOpenAi,
}
