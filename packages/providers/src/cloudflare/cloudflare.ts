import { z } from 'zod'
import type { ChatAdapter } from '../chat-adapter.ts'
import { type FailureClass, failureOf, type UpstreamFailure } from '../failure.ts'
import { fieldsOf, jsonOrUndefined, listOf, parseVendor } from '../json.ts'
import { chatCarries, lostEffort, toChatBody } from '../openai/chat-body.ts'
import { chatStreamDecoder, decodeChat } from '../openai/chat-decode.ts'
import { classOf, explainOpenAi } from '../openai/explain.ts'
import { postJson } from '../post-json.ts'
import type { OpenAiOperation, Provider } from '../provider.ts'
import { accountRoot, dialectRoot, headers } from './account.ts'
import { images } from './images.ts'
import { transcription } from './transcription.ts'

/** Only OpenAI's open models support Responses; for the others they are translated into chats. */
const offers = (operation: OpenAiOperation, model: string) =>
  operation === 'responses' ? model.includes('gpt-oss') : operation === 'chat/completions' || operation === 'embeddings'

const chat: ChatAdapter = {
  framing: 'sse',
  carries: (request) => chatCarries(request),
  unsupported: (request) => ({ refuse: [], drop: lostEffort(request) }),
  encode: (request, access) =>
    postJson(
      `${dialectRoot(access)}/chat/completions`,
      headers(access),
      toChatBody(request, { reasoning: true, textAlways: true }),
    ),
  decode: decodeChat,
  streamDecoder: chatStreamDecoder,
}

/** Text models accept only string content, neither a list of parts nor null; the translation produces it. */
const hasTextsOnly = ({ messages }: Record<string, unknown>) =>
  listOf(messages).every((message) => typeof fieldsOf(message).content === 'string')

const Listed = z.object({ result: z.array(z.object({ name: z.string() })) })

/** Workers AI in OpenAI's dialect, for the account in `config.user_id` or behind an AI Gateway. */
export const cloudflare: Provider = {
  name: 'cloudflare',
  baseUrl: 'https://api.cloudflare.com',
  openai: {
    url: (operation, access, model) => (offers(operation, model) ? `${dialectRoot(access)}/${operation}` : undefined),
    headers,
    takes: hasTextsOnly,
  },
  chat,
  images,
  transcription,
  models: {
    request: (access) => ({
      method: 'GET',
      url: `${accountRoot(access)}/models/search?per_page=1000`,
      headers: headers(access),
    }),
    read: (body) => parseVendor(Listed, body).result.map(({ name }) => name),
  },
  explain,
}

const Errors = z.object({ errors: z.array(z.object({ code: z.number(), message: z.string() })).min(1) })

const CLASSES: Record<number, FailureClass> = {
  3036: 'quota', // daily free allocation exhausted
  3040: 'rate', // out of capacity
  10000: 'auth',
}

/** The API's own envelope, or OpenAI's, depending on where the call failed. */
function explain(status: number, body: string): UpstreamFailure {
  const [error] = Errors.safeParse(jsonOrUndefined(body)).data?.errors ?? []
  if (error === undefined) return explainOpenAi(status, body)
  const code = String(error.code)
  return failureOf(CLASSES[error.code] ?? classOf(status, [code]), error.message, { status, code })
}
