import type { ChatRequest } from '../chat.ts'
import type { ChatAdapter } from '../chat-adapter.ts'
import { endingAtMark } from '../end-mark.ts'
import { parseVendorJson } from '../json.ts'
import { chatCarries, toChatBody } from '../openai/chat-body.ts'
import { chunkDecoder } from '../openai/chat-decode.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { offeredTools } from '../required-tool.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import { boundedUser } from '../user-id.ts'
import { explain, throwFailure } from './errors.ts'
import { mint } from './token.ts'
import { cogVideo } from './videos.ts'

const unsupported: Unsupported = {
  refuse: ['audio', 'n', 'logprobs', 'frequency_penalty', 'presence_penalty', 'response_format.json_schema'],
  drop: ['top_k', 'seed', 'top_logprobs', 'tool_choice', 'parallel_tool_calls'],
}

const compatible = openAiCompatible({
  name: 'zhipu',
  baseUrl: 'https://open.bigmodel.cn',
  prefix: '/api/paas/v4',
  only: ['chat/completions', 'embeddings', 'images/generations', 'audio/transcriptions', 'audio/speech', 'rerank'],
  quirks: { systemOnly: true },
  batches: {
    endpoints: ['/v1/chat/completions'],
    line: (line) => ({ ...line, url: ownPath(line.url) }),
    refused({ completion_window, output_expires_after }) {
      if (output_expires_after) return 'output_expires_after'
      return completion_window === '24h' ? undefined : 'completion_window'
    },
    // Zhipu deletes the input file otherwise, and a caller can neither read nor use it again.
    create: ({ input_file_id, endpoint, metadata }) => ({
      ...{ input_file_id, endpoint: ownPath(endpoint), auto_delete_input_file: false },
      ...(metadata ? { metadata } : {}),
    }),
  },
})

/** `/v4/chat/completions`: in batches the version is part of the path. */
function ownPath(path: string) {
  return path.replace(/^\/v1\//, '/v4/')
}

const chat: ChatAdapter = {
  framing: 'sse',
  carries: (request) => chatCarries(request),
  encode(request, access) {
    refuseUnsupported('Zhipu', unsupported, request)
    const headers = { authorization: `Bearer ${access.key}` }
    return postJson(`${access.baseUrl}/api/paas/v4/chat/completions`, headers, toGlmBody(request))
  },
  decode(body) {
    throwFailure(body)
    return chunkDecoder('message')(body)
  },
  streamDecoder() {
    const decode = chunkDecoder('delta')
    return endingAtMark(({ data }) => {
      const chunk = parseVendorJson(data)
      throwFailure(chunk)
      return decode(chunk)
    })
  },
}

/** OpenAI's dialect, version 4, with tokens that we sign; `access.key` is such a token. */
export const zhipu: Provider = { ...compatible, mint, chat, videoTasks: cogVideo, unsupported, explain }

function toGlmBody(request: ChatRequest) {
  const { reasoning, topK: _, seed: __, toolChoice: ___, user, temperature, topP, ...plain } = request
  return {
    ...toChatBody({ ...plain, tools: offeredTools(request) }, { reasoning: true }, { streamOptions: false }),
    // Values above 1 are an error here, but valid at OpenAI.
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
    top_p: topP === undefined ? undefined : Math.min(1, topP),
    user_id: boundedUser(user, 128),
    thinking: request.extra.thinking ?? thinking(reasoning),
  }
}

function thinking(reasoning: ChatRequest['reasoning']) {
  if (reasoning === undefined) return undefined
  return { type: reasoning.effort === 'none' || reasoning.budgetTokens === 0 ? 'disabled' : 'enabled' }
}
