import type { ChatAdapter } from '../chat-adapter.ts'
import { failureOf, VendorError } from '../failure.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import { toChatBody } from './body.ts'
import { explain } from './errors.ts'
import { decodeReply, streamDecoder } from './reply.ts'

/** A bot is set up at Coze, with its tools, its temperature and the rest; a caller only talks to it. */
const unsupported: Unsupported = {
  refuse: ['audio', 'n', 'logprobs', 'stop', 'tools', 'response_format', 'input_audio', 'messages.tool.image_url'],
  drop: [
    'temperature',
    'top_p',
    'top_k',
    'max_tokens',
    'seed',
    'frequency_penalty',
    'presence_penalty',
    'top_logprobs',
    'user',
    'parallel_tool_calls',
    'reasoning_effort',
  ],
}

const chat: ChatAdapter = {
  framing: 'sse',
  // Without a stream, Coze keeps the conversation and has to be asked again and again whether the bot is done.
  always: 'streamed',
  encode(request, access) {
    refuseUnsupported('Coze', unsupported, request)
    const userId = access.config.user_id
    if (!userId)
      throw new VendorError(failureOf('auth', 'This Coze channel has no user id', { code: 'missing_user_id' }))
    const headers = { authorization: `Bearer ${access.key}`, accept: 'text/event-stream' }
    return postJson(`${access.baseUrl}/v3/chat`, headers, toChatBody(request, userId))
  },
  decode: decodeReply,
  streamDecoder,
}

/** Coze, version 3. The model is the bot's id, with or without `bot-` in front. */
export const coze: Provider = {
  name: 'coze',
  baseUrl: 'https://api.coze.com',
  unsupported,
  chat,
  explain,
}
