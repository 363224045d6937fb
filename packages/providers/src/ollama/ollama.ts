import { z } from 'zod'
import { asksToThink, REASONING } from '../budget-effort.ts'
import type { ChatAdapter } from '../chat-adapter.ts'
import { parseVendor } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { usageOf } from '../usage.ts'
import { thinksAtOllama, toChatBody } from './body.ts'
import { decodeReply, streamDecoder } from './reply.ts'

const unsupported: Unsupported = {
  refuse: ['audio', 'n', 'input_audio', 'file'],
  drop: ['user', 'tool_choice', 'parallel_tool_calls'],
}

/** A local Ollama needs no key; one behind a proxy, or Ollama's cloud, does. */
const authorize = ({ key }: Access): Record<string, string> => (key === '' ? {} : { authorization: `Bearer ${key}` })

const chat: ChatAdapter = {
  framing: 'json-lines',
  unsupported: (request) =>
    asksToThink(request) && !thinksAtOllama(request.model)
      ? { ...unsupported, drop: [...unsupported.drop, ...REASONING] }
      : unsupported,
  inline: ['image'],
  encode(request, access) {
    refuseUnsupported('Ollama', unsupported, request)
    return postJson(`${access.baseUrl}/api/chat`, authorize(access), toChatBody(request))
  },
  decode: decodeReply,
  streamDecoder,
}

const Embedded = z.object({ embeddings: z.array(z.array(z.number())), prompt_eval_count: z.number().optional() })
const Models = z.object({ models: z.array(z.object({ name: z.string() })) })

/** Ollama's own API rather than its OpenAI-compatible one: only here context length and thinking can be set. */
export const ollama: Provider = {
  name: 'ollama',
  baseUrl: 'http://localhost:11434',
  unsupported,
  chat,
  embeddings: {
    encode: ({ model, input, dimensions }, access) =>
      postJson(`${access.baseUrl}/api/embed`, authorize(access), { model, input, dimensions }),
    decode(body) {
      const { embeddings, prompt_eval_count } = parseVendor(Embedded, body)
      return {
        vectors: embeddings,
        usage: prompt_eval_count === undefined ? undefined : usageOf({ input: prompt_eval_count }),
      }
    },
  },
  models: {
    request: (access) => ({ method: 'GET', url: `${access.baseUrl}/api/tags`, headers: authorize(access) }),
    read: (body) => parseVendor(Models, body).models.map(({ name }) => name),
  },
  explain: explainOpenAi,
}
