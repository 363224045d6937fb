import type { ChatAdapter } from '../chat-adapter.ts'
import { failureOf, VendorError } from '../failure.ts'
import { ANY_FILE_ID } from '../file-stores.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { MODEL_SETTINGS, refuseUnsupported, type Unsupported } from '../unsupported.ts'
import { toChatBody } from './body.ts'
import { explain } from './errors.ts'
import { decodeReply, streamDecoder } from './reply.ts'

/** Tools, temperature and the rest are configured in the bot at Coze; callers can only chat with it. */
const unsupported: Unsupported = {
  refuse: ['audio', 'n', 'logprobs', 'stop', 'tools', 'response_format', 'input_audio', 'messages.tool.image_url'],
  drop: MODEL_SETTINGS,
}

const chat: ChatAdapter = {
  files: () => ANY_FILE_ID,
  framing: 'sse',
  // Without a stream, Coze has to be polled until the bot is done.
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

/** Coze, version 3. The model is the bot's id, with or without the prefix `bot-`. */
export const coze: Provider = {
  name: 'coze',
  baseUrl: 'https://api.coze.com',
  unsupported,
  chat,
  explain,
}
