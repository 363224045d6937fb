import { failureOf, inputTokens, NO_USAGE, type Provider, type Usage, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Errand } from '../upstream/open.ts'
import { type Answer, upstreamModel } from './answer.ts'
import type { Call } from './call.ts'
import type { LaneNeeds } from './lane-needs.ts'

const encoder = new TextEncoder()

/** Whether a vendor with a dialect of its own offers the call under another form. */
export const hasAdapter = ({ operation }: Call, provider: Provider) =>
  (operation.name === 'embeddings' && provider.embeddings !== undefined) ||
  (operation.name === 'rerank' && provider.rerank !== undefined)

/** The lane for embeddings and rankings of vendors that have their own form for them. */
export const adapterLane = (call: Call, needs: LaneNeeds): Errand<Answer> => ({
  async request(route) {
    const access = await needs.accessOf(route)
    const moment = { nowMs: needs.clock.now(), callId: needs.requestId }
    const model = upstreamModel(call, route)
    if (call.operation.name === 'embeddings') {
      const { dimensions } = call.body
      const size = typeof dimensions === 'number' ? { dimensions } : {}
      return offered(route, 'embeddings').encode(
        { model, input: texts(call.body.input, 'input'), ...size },
        access,
        moment,
      )
    }
    const { query, top_n } = call.body
    if (typeof query !== 'string') throw badInput('query')
    const best = typeof top_n === 'number' ? { topN: top_n } : {}
    const documents = texts(call.body.documents, 'documents')
    return offered(route, 'rerank').encode({ model, query, documents, ...best }, access, moment)
  },

  async accept(response, route) {
    const body: unknown = await response.json()
    const { shown, usage } =
      call.operation.name === 'embeddings' ? embeddings(call, route, body) : ranking(call, route, body)
    return { kind: 'whole', bytes: encoder.encode(JSON.stringify(shown)), type: 'application/json', usage }
  },
})

function embeddings(call: Call, route: Route, body: unknown) {
  const { vectors, usage } = offered(route, 'embeddings').decode(body)
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  return { shown: { object: 'list', data, model: call.model, usage: tokensOf(usage) }, usage }
}

function ranking(call: Call, route: Route, body: unknown) {
  const { results, usage } = offered(route, 'rerank').decode(body)
  const shown = results.map(({ index, score }) => ({ index, relevance_score: score }))
  return { shown: { object: 'list', model: call.model, results: shown, usage: tokensOf(usage) }, usage }
}

function tokensOf(usage: Usage = NO_USAGE) {
  const tokens = inputTokens(usage)
  return { prompt_tokens: tokens, total_tokens: tokens }
}

function offered<K extends 'embeddings' | 'rerank'>({ provider }: Route, kind: K): NonNullable<Provider[K]> {
  const adapter = provider?.[kind]
  if (adapter === undefined) throw new VendorError(failureOf('client', `This channel does not offer ${kind}`))
  return adapter
}

/** One text or several; token ids are a dialect of their own that these vendors do not have. */
function texts(value: unknown, name: string): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')) return value
  throw badInput(name)
}

function badInput(param: string) {
  return new VendorError(failureOf('client', `${param} must be text`, { status: 400, param }))
}
