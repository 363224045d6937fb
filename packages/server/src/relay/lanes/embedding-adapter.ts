import {
  type EmbeddingsAdapter,
  embeddingsOf,
  failureOf,
  inputTokens,
  NO_USAGE,
  VendorError,
} from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import { upstreamModel } from '../answer.ts'
import type { Call, RoutedCall } from '../surfaces/call.ts'
import { notText, textsIn } from '../surfaces/call-members.ts'
import { fieldsOf } from '../surfaces/fields.ts'
import type { OperationAdapter } from './operation-adapter.ts'
import { packedFloats } from './vectors.ts'

/** Embeddings, in OpenAI's format or Google's. */
export const embeddingAdapter: OperationAdapter = {
  suits: (call, route) => adapterOf(call, route) !== undefined,

  encode(call, { route, access, context, model }) {
    const { input, dimensions } = call.operation.name === 'embeddings' ? openAis(call) : googles(call)
    const size = typeof dimensions === 'number' ? { dimensions } : {}
    return offered(call, route).encode({ model, input, ...size }, access, context)
  },

  show(call, route, body) {
    const { vectors, usage } = offered(call, route).decode(body)
    const tokens = inputTokens(usage ?? NO_USAGE)
    if (call.operation.name === 'embedContent') return { shown: { embedding: { values: vectors[0] ?? [] } }, usage }
    if (call.operation.name === 'batchEmbedContents')
      return { shown: { embeddings: vectors.map((values) => ({ values })) }, usage }
    const packed = call.body.encoding_format === 'base64'
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: packed ? packedFloats(vector) : vector,
    }))
    const counts = { prompt_tokens: tokens, total_tokens: tokens }
    return { shown: { object: 'list', data, model: call.model, usage: counts }, usage }
  },
}

const adapterOf = (call: RoutedCall, { provider, ...route }: Route): EmbeddingsAdapter | undefined =>
  provider && embeddingsOf(provider, route.access, upstreamModel(call, { provider, ...route }))

function offered(call: Call, route: Route) {
  const adapter = adapterOf(call, route)
  if (adapter === undefined) throw new VendorError(failureOf('client', 'This channel does not offer embeddings'))
  return adapter
}

const openAis = ({ body: { input, dimensions } }: Call) => ({ input: textsIn(input, 'input'), dimensions })

/** One content, or a batch of requests with one each; the options of the first apply to all. */
function googles({ body }: Call) {
  const requests: unknown[] = Array.isArray(body.requests) ? body.requests : [body]
  const [first] = requests
  return {
    input: requests.map((request) => textOf(fieldsOf(request).content)),
    dimensions:
      fieldsOf(first).outputDimensionality ?? fieldsOf(fieldsOf(first).embedContentConfig).outputDimensionality,
  }
}

function textOf(content: unknown) {
  const parts = fieldsOf(content).parts
  const texts = (Array.isArray(parts) ? parts : [parts]).map((part: unknown) => fieldsOf(part).text)
  if (texts.length === 0 || !texts.every((text) => typeof text === 'string')) throw notText('content')
  return texts.join('\n')
}
