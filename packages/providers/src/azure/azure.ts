import { Defaults } from '@tollgate/contract'
import type { BatchForm } from '../batch-adapter.ts'
import { BATCH_PRICES } from '../batch-prices.ts'
import type { ChatRequest } from '../chat.ts'
import type { ChatAdapter } from '../chat-adapter.ts'
import { OPENAI_FILES } from '../file-stores.ts'
import { type ChatForm, chatCarries, lostEffort, OPENAI_MEMBERS, toChatBody } from '../openai/chat-body.ts'
import { decodeEither, eitherStreamDecoder } from '../openai/either-decode.ts'
import { explainOpenAi } from '../openai/explain.ts'
import { nativeQuirks, type Quirks } from '../openai/quirks.ts'
import { lostSampling } from '../openai/sampling.ts'
import { readModelList, socketUrl } from '../openai-compatible.ts'
import { postJson } from '../post-json.ts'
import type { OpenAiOperation, Provider } from '../provider.ts'
import { isResponsesOnly, needsResponses, responsesCarries, toResponsesBody } from '../responses/body.ts'
import { RESPONSES_UNSUPPORTED } from '../responses/unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { pathSegment } from '../url-parts.ts'

const OPERATIONS: readonly OpenAiOperation[] = [
  'chat/completions',
  'completions',
  'embeddings',
  'images/generations',
  'images/edits',
  'audio/transcriptions',
  'audio/translations',
  'audio/speech',
]

const headers = ({ key }: Access) => ({ 'api-key': key })

/** Older versions refuse `stream_options`, and then a stream has no usage. */
const streamOptions = (access: Access) => versionOf(access) >= '2024-09'

const FORM: ChatForm = { developer: true, members: OPENAI_MEMBERS }
const WITHOUT = ['top_k'] as const
const quirksOf = (access: Access): Quirks => ({ without: WITHOUT, streamOptions: streamOptions(access) })

const chat: ChatAdapter = {
  files: () => OPENAI_FILES,
  framing: 'sse',
  carries: (request, access) =>
    isSentAsResponse(access, request) ? responsesCarries(request) : chatCarries(request, FORM),
  unsupported: (request, access) =>
    isSentAsResponse(access, request)
      ? { ...RESPONSES_UNSUPPORTED, drop: [...new Set([...RESPONSES_UNSUPPORTED.drop, ...lostSampling(request)])] }
      : { refuse: [], drop: [...WITHOUT, ...lostEffort(request), ...lostSampling(request)] },
  encode: (request, access) =>
    isSentAsResponse(access, request)
      ? postJson(operationUrl('responses', access, request.model), headers(access), toResponsesBody(request))
      : postJson(
          operationUrl('chat/completions', access, request.model),
          headers(access),
          toChatBody(request, FORM, quirksOf(access)),
        ),
  decode: decodeEither,
  streamDecoder: eitherStreamDecoder,
}

/** The paths have no version, and all lines are for one deployment. */
const batchForm: BatchForm = {
  endpoints: ['/v1/chat/completions'],
  oneModel: true,
  line: ({ url, body, ...line }) => ({
    ...line,
    url: undatedPath(url),
    body: { ...body, model: deploymentOf(String(body.model)) },
  }),
  create: (batch) => ({ ...batch, endpoint: undatedPath(batch.endpoint) }),
}

/** OpenAI's dialect at Azure's addresses. The model name is the deployment. */
export const azure: Provider = {
  name: 'azure',
  openai: {
    url: (operation, access, model) =>
      offers(operation, access) && !(operation === 'chat/completions' && asResponse(access, model))
        ? operationUrl(operation, access, model)
        : undefined,
    headers,
    ...nativeQuirks({ without: WITHOUT }),
    streamOptions,
  },
  chat,
  realtime: { url: realtimeUrl, headers },
  background: true,
  batches: { dialect: 'openai', price: BATCH_PRICES.azure, url: batchUrl, headers, form: batchForm },
  models: {
    // The only version whose key-authenticated API lists deployments; later ones moved that to Azure's management API.
    request: (access) => ({
      method: 'GET',
      url: isUndatedRoot(access)
        ? `${access.baseUrl}/models`
        : `${access.baseUrl}/openai/deployments?api-version=2022-12-01`,
      headers: headers(access),
    }),
    read: readModelList,
  },
  explain: explainOpenAi,
}

/** The base URL as Azure documents it for OpenAI's SDKs. */
const isUndatedRoot = ({ baseUrl }: Access) => baseUrl.endsWith('/openai/v1')

const versionOf = ({ config, other }: Access) => config.api_version || other || Defaults.azureApiVersion

/** Responses were added late; for older versions they are translated into chats. */
const offers = (operation: OpenAiOperation, access: Access) =>
  operation === 'responses' ? isUndatedRoot(access) || versionOf(access) >= '2025-03' : OPERATIONS.includes(operation)

/** Models without chat completions are called through Responses. */
const asResponse = (access: Access, model: string) => isResponsesOnly(model) && offers('responses', access)

const isSentAsResponse = (access: Access, request: ChatRequest) =>
  asResponse(access, request.model) || (needsResponses(request) && offers('responses', access))

/** Azure's undated API is OpenAI's with another key: `v1`, with its `preview` and `latest`. */
const isUndated = (version: string) => !/^\d{4}-\d{2}-\d{2}/.test(version)

function operationUrl(operation: OpenAiOperation, access: Access, model: string) {
  const version = versionOf(access)
  const query = `?api-version=${encodeURIComponent(version.toWellFormed())}`
  const { baseUrl } = access
  if (isUndatedRoot(access)) return `${baseUrl}/${operation}`
  if (isUndated(version)) return `${baseUrl}/openai/v1/${operation}${version === 'v1' ? '' : query}`
  if (operation === 'responses') return `${baseUrl}/openai/responses${query}`
  // Cloudflare's gateway adds this part of the path itself.
  const deployments = baseUrl.startsWith('https://gateway.ai.cloudflare.com') ? '' : '/openai/deployments'
  return `${baseUrl}${deployments}/${pathSegment(deploymentOf(model))}/${operation}${query}`
}

/** The first version that has batches and is not a preview; chats may stay with an older one. */
const BATCH_VERSION = '2024-10-21'

function batchUrl(path: string, access: Access) {
  const version = versionOf(access)
  const { baseUrl } = access
  if (isUndatedRoot(access)) return baseUrl + path
  const dated = isUndated(version) || version > BATCH_VERSION ? version : BATCH_VERSION
  const query = `${path.includes('?') ? '&' : '?'}api-version=${encodeURIComponent(dated.toWellFormed())}`
  if (isUndated(version)) return `${baseUrl}/openai/v1${path}${version === 'v1' ? '' : query}`
  return `${baseUrl}/openai${path}${query}`
}

function undatedPath(path: string) {
  return path.replace(/^\/v1\//, '/')
}

/** Dated versions name the deployment where the undated one names the model. */
function realtimeUrl(access: Access, model: string) {
  const version = versionOf(access)
  const { baseUrl } = access
  const name = encodeURIComponent(deploymentOf(model).toWellFormed())
  if (baseUrl.endsWith('/openai/v1')) return `${socketUrl(baseUrl)}/realtime?model=${name}`
  if (isUndated(version)) return `${socketUrl(baseUrl)}/openai/v1/realtime?model=${name}`
  return `${socketUrl(baseUrl)}/openai/realtime?api-version=${encodeURIComponent(version.toWellFormed())}&deployment=${name}`
}

/** Azure's own deployments are called gpt-35-turbo, because names once could not contain a dot. */
const deploymentOf = (model: string) => model.replace(/^gpt-3\.5/, 'gpt-35')
