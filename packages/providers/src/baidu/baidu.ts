import { z } from 'zod'
import type { ChatAdapter } from '../chat-adapter.ts'
import { parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { refusal, refuseUnsupported, type Unsupported } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { pathSegment } from '../url-parts.ts'
import { usageOf } from '../usage.ts'
import { toChatBody } from './body.ts'
import { explain, throwFailure } from './errors.ts'
import { exchange } from './exchange.ts'
import { decodeReply, streamDecoder } from './reply.ts'

const unsupported: Unsupported = {
  refuse: [
    'audio',
    'n',
    'logprobs',
    'presence_penalty',
    'response_format.json_schema',
    'image_url',
    'input_audio',
    'file',
  ],
  drop: ['top_k', 'seed', 'top_logprobs', 'tool_choice.required', 'parallel_tool_calls', 'reasoning_effort'],
}

const chat: ChatAdapter = {
  framing: 'sse',
  encode(request, access) {
    refuseUnsupported('Wenxin', unsupported, request)
    return postJson(workshopUrl('chat', request.model, access), {}, toChatBody(request))
  },
  decode: decodeReply,
  streamDecoder,
}

const Embedded = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })),
  usage: z.object({ total_tokens: z.number() }).nullish(),
})

/** Baidu Wenxin, version 1. The key is `APIKey|SecretKey`; calls carry the token from `exchange`. */
export const baidu: Provider = {
  name: 'baidu',
  baseUrl: 'https://aip.baidubce.com',
  unsupported,
  exchange,
  chat,
  embeddings: {
    encode({ model, input, dimensions }, access) {
      if (dimensions !== undefined) throw refusal('Wenxin', 'dimensions')
      return postJson(workshopUrl('embeddings', model, access), {}, { input })
    },
    decode(body) {
      throwFailure(body)
      const { data, usage } = parseVendor(Embedded, body)
      return {
        vectors: data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => embedding),
        usage: usage == null ? undefined : usageOf({ input: usage.total_tokens }),
      }
    },
  },
  explain,
}

/** Models whose endpoint differs from their name. */
const ENDPOINTS = new Map<string, string>([
  ['ernie-4.0', 'completions_pro'],
  ['ernie-4.0-8k', 'completions_pro'],
  ['ernie-bot-4', 'completions_pro'],
  ['ernie-bot', 'completions'],
  ['ernie-3.5-8k', 'completions'],
  ['ernie-bot-turbo', 'eb-instant'],
  ['ernie-lite-8k-0922', 'eb-instant'],
  ['ernie-lite-8k-0308', 'ernie-lite-8k'],
  ['ernie-speed', 'ernie_speed'],
  ['ernie-speed-8k', 'ernie_speed'],
  ['ernie-bot-8k', 'ernie_bot_8k'],
  ['bloomz-7b', 'bloomz_7b1'],
  ['bge-large-zh', 'bge_large_zh'],
  ['bge-large-en', 'bge_large_en'],
  ['tao-8k', 'tao_8k'],
])

/** The token can only be sent in the query. */
function workshopUrl(kind: 'chat' | 'embeddings', model: string, { baseUrl, key }: Access) {
  const name = model.toLowerCase()
  const endpoint = pathSegment(ENDPOINTS.get(name) ?? name)
  const query = new URLSearchParams({ access_token: key })
  return `${baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/${kind}/${endpoint}?${query}`
}
