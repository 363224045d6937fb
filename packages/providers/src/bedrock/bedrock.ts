import { claudeUnsupported } from '../anthropic/anthropic.ts'
import { asksToThink, REASONING } from '../budget-effort.ts'
import type { ChatRequest } from '../chat.ts'
import type { ChatAdapter } from '../chat-adapter.ts'
import type { NestedMember } from '../nested-members.ts'
import type { Provider } from '../provider.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import { refusedFields, thinksOnRequest, toConverseBody } from './body.ts'
import { decodeConverse } from './decode.ts'
import { explainBedrock } from './explain.ts'
import { embeddings, images } from './invoke.ts'
import { claudeMessages } from './messages-wire.ts'
import { isClaude, modelUrl } from './model.ts'
import { models } from './models.ts'
import { credentialsOf, signed } from './sign.ts'
import { converseStreamDecoder } from './stream-decode.ts'

const UNSUPPORTED: Unsupported = {
  refuse: ['audio', 'n', 'logprobs', 'input_audio'],
  drop: ['seed', 'frequency_penalty', 'presence_penalty', 'top_logprobs', 'user', 'parallel_tool_calls'],
}

/** Claude's newest models accept no sampling parameters at all; the others have no top_logprobs. */
const unsupportedFor = (request: ChatRequest): Unsupported => {
  const { model } = request
  const isLost = !thinksOnRequest(model) && asksToThink(request)
  const own = isClaude(model)
    ? claudeUnsupported(request).drop
    : ['top_k' as const, ...refusedFields(request), ...(isLost ? REASONING : [])]
  return { ...UNSUPPORTED, drop: [...new Set([...UNSUPPORTED.drop, ...own])] }
}

/** All models of Bedrock through one dialect, Converse. */
const chat: ChatAdapter = {
  framing: 'aws-event-stream',
  carries: () => ['messages.is_error', 'messages.content.filename'] satisfies NestedMember[],
  unsupported: unsupportedFor,
  inline: ['image', 'file'],
  refusesInText: true,
  encode(request, access, { nowMs }) {
    refuseUnsupported('Bedrock', UNSUPPORTED, request)
    const credentials = credentialsOf(access)
    const operation = request.stream ? 'converse-stream' : 'converse'
    const url = modelUrl(request.model, operation, access, credentials)
    return signed({ url, body: JSON.stringify(toConverseBody(request)), nowMs }, credentials)
  },
  decode: decodeConverse,
  streamDecoder: converseStreamDecoder,
}

export const bedrock: Provider = {
  name: 'aws',
  anthropic: claudeMessages,
  chat,
  embeddings,
  images,
  models,
  unsupported: UNSUPPORTED,
  explain: explainBedrock,
}
