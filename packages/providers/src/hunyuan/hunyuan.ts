import { z } from 'zod'
import type { ChatAdapter, EncodeContext } from '../chat-adapter.ts'
import { parseVendor } from '../json.ts'
import { keyParts } from '../key-parts.ts'
import type { Provider } from '../provider.ts'
import { refusal, refuseUnsupported, type Unsupported } from '../unsupported.ts'
import type { Access, UpstreamRequest } from '../upstream-request.ts'
import { usageOf } from '../usage.ts'
import { toChatBody } from './body.ts'
import { explain, throwFailure } from './errors.ts'
import { decodeReply, streamDecoder } from './reply.ts'
import { tc3Authorization } from './sign.ts'

const unsupported: Unsupported = {
  refuse: [
    'audio',
    'n',
    'logprobs',
    'frequency_penalty',
    'presence_penalty',
    'response_format',
    'input_audio',
    'file',
    'messages.tool.image_url',
  ],
  // Clients of Anthropic's dialect must send a limit, so it cannot be refused.
  drop: [
    'max_tokens',
    'top_k',
    'top_logprobs',
    'user',
    'tool_choice.required',
    'parallel_tool_calls',
    'reasoning_effort',
  ],
}

const chat: ChatAdapter = {
  framing: 'sse',
  encode(request, access, context) {
    refuseUnsupported('Hunyuan', unsupported, request)
    return signed('ChatCompletions', toChatBody(request), access, context)
  },
  decode: decodeReply,
  streamDecoder,
}

const Embedded = z.object({
  Response: z.object({
    Data: z.array(z.object({ Embedding: z.array(z.number()) })),
    Usage: z.object({ TotalTokens: z.number() }).nullish(),
  }),
})
const Enveloped = z.object({ Response: z.unknown() })

/** Tencent Hunyuan, API version 2023-09-01. The key is `AppId|SecretId|SecretKey`; the AppId is not used for signing. */
export const hunyuan: Provider = {
  name: 'hunyuan',
  baseUrl: 'https://hunyuan.tencentcloudapi.com',
  unsupported,
  chat,
  embeddings: {
    encode({ input, dimensions }, access, context) {
      if (dimensions !== undefined) throw refusal('Hunyuan', 'dimensions')
      return signed('GetEmbedding', { InputList: input }, access, context)
    },
    decode(body) {
      throwFailure(parseVendor(Enveloped, body).Response)
      const { Data, Usage } = parseVendor(Embedded, body).Response
      return {
        vectors: Data.map(({ Embedding }) => Embedding),
        usage: Usage == null ? undefined : usageOf({ input: Usage.TotalTokens }),
      }
    },
  },
  explain,
}

const CONTENT_TYPE = 'application/json; charset=utf-8'

async function signed(action: string, body: unknown, access: Access, context: EncodeContext): Promise<UpstreamRequest> {
  const { SecretId, SecretKey } = keyParts(access.key, {
    vendor: 'Hunyuan',
    names: ['AppId', 'SecretId', 'SecretKey'],
  })
  const payload = JSON.stringify(body)
  const timestampSec = Math.floor(context.nowMs / 1000)
  const authorization = await tc3Authorization({
    secretId: SecretId,
    secretKey: SecretKey,
    service: 'hunyuan',
    host: new URL(access.baseUrl).host,
    action,
    contentType: CONTENT_TYPE,
    payload,
    timestampSec,
  })
  return {
    method: 'POST',
    url: `${access.baseUrl}/`,
    headers: {
      authorization,
      'content-type': CONTENT_TYPE,
      'x-tc-action': action,
      'x-tc-version': '2023-09-01',
      'x-tc-timestamp': String(timestampSec),
    },
    body: payload,
  }
}
