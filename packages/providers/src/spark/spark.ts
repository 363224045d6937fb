import type { ChatAdapter } from '../chat-adapter.ts'
import { keyParts } from '../key-parts.ts'
import { explainOpenAi } from '../openai/explain.ts'
import type { Provider } from '../provider.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import { toFirstMessage } from './body.ts'
import { decodeReply, streamDecoder } from './reply.ts'
import { signedUrl } from './sign.ts'
import { versionOf } from './versions.ts'

const unsupported: Unsupported = {
  refuse: [
    'audio',
    'n',
    'logprobs',
    'stop',
    'frequency_penalty',
    'presence_penalty',
    'response_format',
    'image_url',
    'input_audio',
    'file',
  ],
  drop: ['top_p', 'seed', 'top_logprobs', 'tool_choice', 'parallel_tool_calls', 'reasoning_effort'],
}

const chat: ChatAdapter = {
  framing: 'websocket',
  always: 'streamed',
  async encode(request, access, context) {
    refuseUnsupported('Spark', unsupported, request)
    const { APPID, APISecret, APIKey } = keyParts(access.key, {
      vendor: 'Spark',
      names: ['APPID', 'APISecret', 'APIKey'],
    })
    const version = versionOf(request.model, access)
    const address = new URL(access.baseUrl.replace(/^http/, 'ws') + version.path)
    return {
      method: 'GET',
      url: await signedUrl(address, { apiKey: APIKey, apiSecret: APISecret, nowMs: context.nowMs }),
      headers: {},
      body: JSON.stringify(toFirstMessage(request, APPID, version)),
    }
  },
  decode: decodeReply,
  streamDecoder,
}

/** iFlytek Spark over a WebSocket: the body is the first message, every received message is an event. */
export const spark: Provider = {
  name: 'spark',
  baseUrl: 'wss://spark-api.xf-yun.com',
  unsupported,
  chat,
  explain: explainOpenAi,
}
