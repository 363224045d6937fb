import { z } from 'zod'
import type { ChatAdapter } from '../chat-adapter.ts'
import { parseVendor } from '../json.ts'
import { readModelList } from '../openai-compatible.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { usageOf } from '../usage.ts'
import { speech, transcription } from './audio.ts'
import { toGenerationBody } from './body.ts'
import { chatUrl, embeddingsUrl, rerankUrl } from './endpoints.ts'
import { explain, throwFailure } from './errors.ts'
import { images } from './images.ts'
import { decodeReply, streamDecoder } from './reply.ts'
import { wan } from './videos.ts'

const unsupported: Unsupported = {
  refuse: ['audio', 'frequency_penalty', 'file', 'messages.tool.image_url'],
  drop: ['user', 'tool_choice.required'],
}

/** A channel may enable plugins for its models; their parameters are JSON in a header. */
function headers({ key, config, other }: Access, stream: boolean): Record<string, string> {
  const plugin = config.plugin || other
  return {
    authorization: `Bearer ${key}`,
    ...(stream ? { accept: 'text/event-stream', 'x-dashscope-sse': 'enable' } : {}),
    ...(plugin === '' ? {} : { 'x-dashscope-plugin': plugin }),
  }
}

const chat: ChatAdapter = {
  framing: 'sse',
  encode(request, access) {
    refuseUnsupported('DashScope', unsupported, request)
    return postJson(chatUrl(request, access), headers(access, request.stream), toGenerationBody(request))
  },
  decode: decodeReply,
  streamDecoder,
}

const Embedded = z.object({
  output: z.object({ embeddings: z.array(z.object({ text_index: z.int(), embedding: z.array(z.number()) })) }),
  usage: z.object({ total_tokens: z.number() }).nullish(),
})

const Ranked = z.object({
  output: z.object({ results: z.array(z.object({ index: z.int(), relevance_score: z.number() })) }),
  usage: z.object({ total_tokens: z.number() }).nullish(),
})

/**
 * DashScope's own API: plugins and model-specific parameters exist only here. Channel type 49 is its OpenAI-compatible API.
 */
export const qwen: Provider = {
  name: 'qwen',
  baseUrl: 'https://dashscope.aliyuncs.com',
  unsupported,
  chat,
  images,
  videoTasks: wan,
  speech,
  transcription,
  embeddings: {
    encode: ({ model, input, dimensions }, access) =>
      postJson(embeddingsUrl(access), headers(access, false), {
        model,
        input: { texts: input },
        parameters: { dimension: dimensions },
      }),
    decode(body) {
      throwFailure(body)
      const { output, usage } = parseVendor(Embedded, body)
      const vectors = output.embeddings.toSorted((one, other) => one.text_index - other.text_index)
      return {
        vectors: vectors.map(({ embedding }) => embedding),
        usage: usage == null ? undefined : usageOf({ input: usage.total_tokens }),
      }
    },
  },
  rerank: {
    encode: ({ model, query, documents, topN }, access) =>
      postJson(rerankUrl(access), headers(access, false), {
        model,
        input: { query, documents },
        parameters: { top_n: topN, return_documents: false },
      }),
    decode(body) {
      throwFailure(body)
      const { output, usage } = parseVendor(Ranked, body)
      return {
        results: output.results.map(({ index, relevance_score }) => ({ index, score: relevance_score })),
        usage: usage == null ? undefined : usageOf({ input: usage.total_tokens }),
      }
    },
  },
  models: {
    request: (access) => ({
      method: 'GET',
      url: `${access.baseUrl}/compatible-mode/v1/models`,
      headers: headers(access, false),
    }),
    read: readModelList,
  },
  explain,
}
