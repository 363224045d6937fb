import { allRead } from './all-read.ts'
import type { BatchForm } from './batch-adapter.ts'
import { batchPrice } from './batch-prices.ts'
import type { ChatRequest } from './chat.ts'
import { ANY_FILE_ID, OPENAI_FILES } from './file-stores.ts'
import { fieldsOf, listOf, textOf } from './json.ts'
import { type ChatForm, chatCarries, lostEffort, toChatBody } from './openai/chat-body.ts'
import { decodeEither, eitherStreamDecoder } from './openai/either-decode.ts'
import { explainOpenAi } from './openai/explain.ts'
import { droppedParameters, nativeQuirks, type Quirks } from './openai/quirks.ts'
import { lostSampling } from './openai/sampling.ts'
import { postJson } from './post-json.ts'
import type { OpenAiOperation, Provider } from './provider.ts'
import { isResponsesOnly, needsResponses, responsesCarries, toResponsesBody } from './responses/body.ts'
import { markReasoning } from './responses/marked-reasoning.ts'
import { isUnderstoodElsewhere } from './responses/openai-only.ts'
import { RESPONSES_UNSUPPORTED } from './responses/unsupported.ts'
import type { Signer } from './signature.ts'
import type { Access } from './upstream-request.ts'

export interface CompatibleVendor {
  name: string
  /** Absent when every channel has to set its own. */
  baseUrl?: string
  /** The path in front of the operation; most vendors keep OpenAI's `/v1`. */
  prefix?: string
  /** Operations whose path differs. `false` switches one off. */
  paths?: Partial<Record<OpenAiOperation, string | false>>
  /** Only these operations exist; when absent, all of OpenAI's except Responses. */
  only?: readonly OpenAiOperation[]
  /** Few compatible vendors support Responses. For the others they are translated into chats. */
  responses?: true
  /** Supports counting the input tokens of a response, and compacting conversations. */
  responsesTools?: true
  /** Supports background responses. */
  background?: true
  /** Supports realtime conversations over a WebSocket. */
  realtime?: true
  /** How its batches differ; it accepts batches if it has a batch price. */
  batches?: BatchForm
  /** Makes videos, or may do so. */
  videos?: true
  /** Makes videos by an API of its own. */
  videoTasks?: Provider['videoTasks']
  headers?: Record<string, string>
  /** Extensions of the dialect that its chat supports. */
  chat?: ChatForm
  /** What its chat refuses of the dialect. */
  quirks?: Quirks
  /** Set when the vendor has no API that lists its models. */
  unlisted?: true
  /** See `PassThrough`; each call creates the repair of one answer. */
  repairs?: Partial<Record<OpenAiOperation, () => (body: Record<string, unknown>) => void>>
  /** See `PassThrough`; applies to Responses, whose reasoning is marked with it. */
  signer?: Signer
  balance?: Provider['balance']
}

/** A vendor that speaks OpenAI's dialect: most of them, and a few lines each. */
export const openAiCompatible = (vendor: CompatibleVendor): Provider => {
  const { name, baseUrl, prefix = '/v1', paths = {}, only, headers = {}, unlisted = false, ...can } = vendor
  const {
    responses = false,
    responsesTools = false,
    background,
    realtime = false,
    batches: form,
    videos = false,
    videoTasks,
    balance,
    ...wire
  } = can
  const { chat = {}, quirks = {}, repairs: ownRepairs, signer, ...rest } = wire
  allRead(rest)
  const repairs = signer === undefined ? ownRepairs : { ...ownRepairs, responses: () => markReasoning(signer) }
  const root = (access: Access) => rootOf(access.baseUrl || (baseUrl ?? ''), prefix)
  const authorize = (access: Access) => ({ authorization: `Bearer ${access.key}`, ...headers })
  const offers = (operation: OpenAiOperation) => {
    if (operation === 'responses') return responses
    if (operation.startsWith('responses/')) return responsesTools
    return only === undefined || only.includes(operation)
  }
  const onlyResponses = (model: string) => responses && isResponsesOnly(model)
  const isOpenAi = chat.members !== undefined
  const asResponse = (request: ChatRequest) =>
    onlyResponses(request.model) || (responses && isOpenAi && needsResponses(request))
  const url = (operation: OpenAiOperation, access: Access, model: string) => {
    // Such a chat is translated into a response.
    if (operation === 'chat/completions' && onlyResponses(model)) return undefined
    const path = paths[operation] ?? (offers(operation) ? `/${operation}` : false)
    return path === false ? undefined : root(access) + path
  }
  const listing: Pick<Provider, 'models'> = {
    models: {
      request: (access) => ({ method: 'GET', url: `${root(access)}/models`, headers: authorize(access) }),
      read: readModelList,
    },
  }

  const price = batchPrice(name)
  const later = { url: (path: string, access: Access) => root(access) + path, headers: authorize }

  return {
    name,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(price === undefined
      ? {}
      : { batches: { dialect: 'openai', ...later, price, ...(form === undefined ? {} : { form }) } }),
    ...(videos ? { videos: later } : {}),
    ...(videoTasks === undefined ? {} : { videoTasks }),
    ...(background === undefined ? {} : { background }),
    openai: {
      url,
      headers: authorize,
      ...(responses && !isOpenAi
        ? { takes: (body, operation) => operation !== 'responses' || isUnderstoodElsewhere(body) }
        : {}),
      ...nativeQuirks(quirks),
      ...(signer === undefined ? {} : { signer }),
      ...(repairs === undefined ? {} : { repair: (operation) => repairs[operation]?.() }),
    },
    chat: {
      framing: 'sse',
      files: () => (name === 'openai' ? OPENAI_FILES : ANY_FILE_ID),
      carries: (request) => (asResponse(request) ? responsesCarries(request) : chatCarries(request, chat, quirks)),
      unsupported: (request) =>
        asResponse(request)
          ? { ...RESPONSES_UNSUPPORTED, drop: [...new Set([...RESPONSES_UNSUPPORTED.drop, ...lostSampling(request)])] }
          : {
              refuse: [],
              drop: [
                ...new Set([
                  ...droppedParameters(quirks, request.model),
                  ...lostEffort(request),
                  ...lostSampling(request),
                ]),
              ],
            },
      encode: (request, access) =>
        asResponse(request)
          ? postJson(`${root(access)}/responses`, authorize(access), toResponsesBody(request))
          : postJson(
              root(access) + (paths['chat/completions'] || '/chat/completions'),
              authorize(access),
              toChatBody(request, chat, quirks),
            ),
      decode: decodeEither,
      streamDecoder: eitherStreamDecoder,
    },
    ...(unlisted ? {} : listing),
    ...(realtime
      ? {
          realtime: {
            url: (access, model) =>
              `${socketUrl(root(access))}/realtime?model=${encodeURIComponent(model.toWellFormed())}`,
            headers: authorize,
          },
        }
      : {}),
    ...(balance === undefined ? {} : { balance }),
    explain: explainOpenAi,
  }
}

/**
 * Cloudflare's AI Gateway has OpenAI's operations without the prefix, and operators paste base URLs that already contain
 * it, or another version of it.
 */
function rootOf(base: string, prefix: string) {
  const bare = base.startsWith('https://gateway.ai.cloudflare.com/') || /\/v\d+$/.test(base)
  return bare ? base : base + prefix
}

/** The same URL with the WebSocket scheme. */
export const socketUrl = (url: string) => url.replace(/^http/, 'ws')

/**
 * `{ data: [{ id }] }`, or the bare list (Together). Entries without an id are extensions; Google prefixes the name with
 * a folder.
 */
export function readModelList(body: unknown): string[] {
  const entries = Array.isArray(body) ? body : listOf(fieldsOf(body).data)
  return entries.flatMap((entry) => textOf(fieldsOf(entry).id)?.replace(/^models\//, '') ?? [])
}
