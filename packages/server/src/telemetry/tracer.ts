import { type Clock, monotonicMs } from '../common/clock.ts'
import type { Sampler } from '../common/otlp-config.ts'
import type { CallLog } from '../ledger/books.ts'
import type { CallTrace, TracedRequest } from './call-trace.ts'
import type { GenAiMetrics } from './gen-ai-metrics.ts'
import { operationName, providerName } from './gen-ai-names.ts'
import { type Attributes, CLIENT, SERVER, type Span } from './otlp-json.ts'
import { createResponseAttributes } from './response-attributes.ts'
import { randomId, readTraceContext, traceHeaders } from './trace-context.ts'

interface Needs {
  clock: Clock
  sampler: Sampler
  metrics: GenAiMetrics
  /** A finished span. */
  add(span: Span): void
}

/** A running attempt. */
interface Attempt {
  spanId: string
  startedMs: number
  channel: number
  provider: string
  model: string
}

/** How a span ended; without an error type when it succeeded. */
interface End {
  error: string | undefined
  isError: boolean
  attributes: Attributes
}

/** Outcomes that are a failure of the gateway or of a vendor. A caller's mistake is recorded, but is not an error. */
const FAILED = new Set(['upstream_error', 'timeout'])

/** Traces calls: one span for each, with a child span for each attempt at a channel. */
export const createTracer =
  ({ clock, sampler, metrics, add }: Needs) =>
  ({ headers, operation: called, requestId }: TracedRequest): CallTrace => {
    const caller = readTraceContext(headers)
    const traceId = caller?.traceId ?? randomId(16)
    const isSampled =
      sampler.followsCaller && caller !== undefined ? caller.isSampled : isInShare(traceId, sampler.share)
    const state = caller?.state ?? ''
    const spanId = randomId(8)
    const startedAt = clock.now()
    const startedMs = monotonicMs(clock)
    const operation = operationName(called)
    const words = createResponseAttributes()
    let current: Attempt | undefined
    let last: Attempt | undefined
    let ended = false

    const at = (ms: number) => startedAt + ms - startedMs

    const emit = (span: Pick<Span, 'name' | 'kind' | 'spanId' | 'parentSpanId'>, fromMs: number, end: End) => {
      if (!isSampled) return
      const { attributes, error, isError } = end
      add({
        ...{ ...span, traceId, state, isError },
        ...{ startMs: at(fromMs), endMs: at(monotonicMs(clock)) },
        attributes: { 'gen_ai.operation.name': operation, ...attributes, 'error.type': error },
      })
    }

    const endAttempt = (end: End) => {
      if (current === undefined) return
      const { provider, model, channel, startedMs: from } = current
      const span = {
        name: `${operation} ${model}`,
        kind: CLIENT,
        spanId: current.spanId,
        parentSpanId: spanId,
      } as const
      const known = { 'gen_ai.provider.name': provider, 'gen_ai.request.model': model, 'tollgate.channel.id': channel }
      emit(span, from, { ...end, attributes: { ...known, ...end.attributes } })
      const labels = labelsOf(operation, current)
      const seconds = (monotonicMs(clock) - from) / 1000
      metrics.observe('gen_ai.client.operation.duration', withError(labels, end.error), seconds)
      current = undefined
    }

    const endCall = (model: string | undefined, end: End) => {
      if (ended) return
      ended = true
      const span = { name: model === undefined ? operation : `${operation} ${model}`, kind: SERVER, spanId } as const
      const known = {
        'gen_ai.request.model': model,
        'gen_ai.provider.name': last?.provider,
        'tollgate.request_id': requestId,
      }
      const attributes = { ...known, ...end.attributes }
      emit({ ...span, parentSpanId: caller?.spanId }, startedMs, { ...end, attributes })
      // An unknown model is arbitrary text from a caller: it must not create metric series.
      const labels = labelsOf(operation, last)
      const seconds = (monotonicMs(clock) - startedMs) / 1000
      metrics.observe('gen_ai.server.request.duration', withError(labels, end.error), seconds)
    }

    return {
      attempt({ id, type }, model) {
        current = {
          spanId: randomId(8),
          startedMs: monotonicMs(clock),
          channel: id,
          provider: providerName(type),
          model,
        }
        last = current
      },

      attemptFailed: ({ class: error, status }) =>
        endAttempt({ error, isError: true, attributes: { 'http.response.status_code': status } }),

      headers: () => traceHeaders({ traceId, spanId: current?.spanId ?? spanId, isSampled, state }),

      see: words.see,

      settled(row, { hasAnswer, requestedModel, model }) {
        const error = row.outcome === 'success' ? undefined : row.outcome
        const end = { error, isError: FAILED.has(row.outcome) }
        const used = { ...usageOf(row), 'gen_ai.response.finish_reasons': listed(words.reasons()) }
        const attempted = last
        endAttempt({ ...end, attributes: { ...used, 'gen_ai.response.model': words.model() } })
        if (!hasAnswer) return
        endCall(requestedModel, {
          ...end,
          attributes: {
            ...{ ...used, 'gen_ai.response.model': model, 'http.response.status_code': 200 },
            ...{ 'tollgate.channel.id': row.channel, 'tollgate.user.id': row.user_id, 'tollgate.quota': row.quota },
          },
        })
        const labels = labelsOf(operation, attempted)
        metrics.observe('gen_ai.client.token.usage', { ...labels, 'gen_ai.token.type': 'input' }, row.prompt_tokens)
        metrics.observe(
          'gen_ai.client.token.usage',
          { ...labels, 'gen_ai.token.type': 'output' },
          row.completion_tokens,
        )
        if (error === undefined && row.first_byte_time > 0)
          metrics.observe('gen_ai.server.time_to_first_token', labels, row.first_byte_time / 1000)
      },

      refused({ status, outcome, model }) {
        endAttempt({ error: outcome, isError: FAILED.has(outcome), attributes: {} })
        const attributes = { 'http.response.status_code': status }
        endCall(model, { error: outcome, isError: FAILED.has(outcome), attributes })
      },
    }
  }

/** Decided by the trace id, so that every participant decides the same. */
const isInShare = (traceId: string, share: number) =>
  share >= 1 || (share > 0 && Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < share)

const labelsOf = (operation: string, attempt: Attempt | undefined) => ({
  'gen_ai.operation.name': operation,
  'gen_ai.provider.name': attempt?.provider ?? 'tollgate',
  ...(attempt !== undefined && { 'gen_ai.request.model': attempt.model }),
})

const withError = (labels: Record<string, string>, error: string | undefined) =>
  error === undefined ? labels : { ...labels, 'error.type': error }

const usageOf = (row: CallLog): Attributes => ({
  'gen_ai.usage.input_tokens': row.prompt_tokens,
  'gen_ai.usage.output_tokens': row.completion_tokens,
  'gen_ai.usage.cache_read.input_tokens': row.cached_tokens === 0 ? undefined : row.cached_tokens,
  'gen_ai.usage.cache_creation.input_tokens': row.cache_write_tokens === 0 ? undefined : row.cache_write_tokens,
})

const listed = (reasons: readonly string[]) => (reasons.length === 0 ? undefined : reasons)
