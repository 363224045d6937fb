import { BATCH_PRICES } from '../batch-prices.ts'
import { REASONING } from '../budget-effort.ts'
import type { ChatRequest } from '../chat.ts'
import type { ChatAdapter } from '../chat-adapter.ts'
import { ANTHROPIC_FILES } from '../file-stores.ts'
import { readModelList } from '../openai-compatible.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { claudeCarries, toMessagesBody } from './body.ts'
import { decodeMessage } from './decode.ts'
import { explainAnthropic } from './explain.ts'
import { rulesOf } from './model.ts'
import { messageStreamDecoder } from './stream-decode.ts'
import { losesThinking, thinksOnRequest } from './thinking.ts'

/** Parameters that Claude does not support, wherever it is hosted. */
export const CLAUDE_UNSUPPORTED: Unsupported = {
  refuse: ['audio', 'n', 'logprobs', 'input_audio'],
  drop: ['seed', 'frequency_penalty', 'presence_penalty', 'top_logprobs'],
}

/** The same, plus what the newest models no longer accept, and others not while they think. */
export const claudeUnsupported = (request: ChatRequest): Unsupported => {
  const rules = rulesOf(request.model)
  const sampling = rules.sampling && !thinksOnRequest(request) ? [] : SAMPLING
  const choice = rules.forcedTools ? [] : (['tool_choice'] as const)
  const reasoning = losesThinking(request) ? REASONING : []
  return { ...CLAUDE_UNSUPPORTED, drop: [...CLAUDE_UNSUPPORTED.drop, ...sampling, ...choice, ...reasoning] }
}

const SAMPLING = ['temperature', 'top_p', 'top_k'] as const

const headers = ({ key }: Access) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' })

const chat: ChatAdapter = {
  framing: 'sse',
  files: () => ANTHROPIC_FILES,
  carries: claudeCarries,
  unsupported: claudeUnsupported,
  encode(request, access) {
    refuseUnsupported('Anthropic', CLAUDE_UNSUPPORTED, request)
    const { model, stream } = request
    return postJson(`${access.baseUrl}/v1/messages`, headers(access), { model, ...toMessagesBody(request), stream })
  },
  decode: decodeMessage,
  streamDecoder: messageStreamDecoder,
}

export const anthropic: Provider = {
  name: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  anthropic: { url: (operation, access) => `${access.baseUrl}/v1/${operation}`, headers },
  batches: {
    dialect: 'anthropic',
    price: BATCH_PRICES.anthropic,
    url: (path, access) => `${access.baseUrl}/v1/messages${path}`,
    headers,
  },
  chat,
  unsupported: CLAUDE_UNSUPPORTED,
  models: {
    request: (access) => ({
      method: 'GET',
      url: `${access.baseUrl}/v1/models?limit=1000`,
      headers: headers(access),
    }),
    read: readModelList,
  },
  explain: explainAnthropic,
}
