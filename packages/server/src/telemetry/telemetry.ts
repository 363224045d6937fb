import { hostname } from 'node:os'
import type { Clock } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import type { OtlpConfig } from '../common/otlp-config.ts'
import { VERSION } from '../common/version.ts'
import type { CallMetrics } from '../metrics/call-metrics.ts'
import { type Metric, single } from '../metrics/metric.ts'
import { createExporter, type Post } from './exporter.ts'
import { createGenAiMetrics } from './gen-ai-metrics.ts'
import { metricsBody, type Span, tracesBody } from './otlp-json.ts'
import { createSpanQueue } from './span-queue.ts'
import { createTracer } from './tracer.ts'

/** The part of the HTTP client needed here. */
interface Http {
  text(
    url: string,
    options: { policy: 'admin'; method: 'POST'; headers: Record<string, string>; body: string; timeoutMs: number },
  ): ReturnType<Post>
}

interface Needs {
  config: OtlpConfig
  http: Http
  clock: Clock
  log: Log
  /** The counters that scrapers read. */
  callMetrics: CallMetrics | undefined
  process: () => Metric[]
  firstRetryMs?: number
}

export type CreateTelemetry = typeof createTelemetry

const TIMEOUT_MS = 10_000
const SCOPE = { name: 'tollgate', version: VERSION }

/** Exports calls to a collector: each as a trace, and all of them as metrics. No call waits for it. */
export const createTelemetry = ({ config, http, clock, log, callMetrics, process, firstRetryMs }: Needs) => {
  const { tracesUrl, metricsUrl } = config
  const resource = {
    ...{ 'service.version': VERSION, 'service.instance.id': crypto.randomUUID(), 'host.name': hostname() },
    ...config.resource,
  }
  const sinceMs = clock.now()
  const headers = { ...config.headers, 'content-type': 'application/json' }
  const exporterTo = (url: string, what: 'traces' | 'metrics') =>
    createExporter({
      post: (body) => http.text(url, { policy: 'admin', method: 'POST', headers, body, timeoutMs: TIMEOUT_MS }),
      ...{ log, what, ...(firstRetryMs !== undefined && { firstRetryMs }) },
    })

  const genAi = createGenAiMetrics()
  const traces = tracesUrl === undefined ? undefined : exporterTo(tracesUrl, 'traces')
  const spans =
    traces &&
    createSpanQueue({
      send: (batch: readonly Span[]) => traces.send(tracesBody(resource, SCOPE, batch), batch.length),
      everyMs: config.spansEveryMs,
    })

  const metrics = metricsUrl === undefined ? undefined : exporterTo(metricsUrl, 'metrics')
  const everything = () => [
    ...genAi.read(),
    ...(callMetrics?.read() ?? []),
    ...process(),
    single('counter', 'tollgate_spans_dropped_total', 'Spans that no collector took.', spans?.dropped() ?? 0),
  ]
  let sending: Promise<unknown> | undefined
  /** Cumulative since the start, so that a lost export loses nothing. */
  const sendMetrics = async () => {
    if (metrics === undefined) return
    sending ??= metrics
      .send(metricsBody(resource, SCOPE, { metrics: everything(), sinceMs, nowMs: clock.now() }), 1)
      .finally(() => {
        sending = undefined
      })
    await sending
  }
  const timer = metrics && setInterval(() => void sendMetrics(), config.metricsEveryMs)
  timer?.unref()

  return {
    trace: createTracer({ clock, sampler: config.sampler, metrics: genAi, add: (span) => spans?.add(span) }),
    /** Sends everything, and waits for it. */
    flush: () => Promise.all([spans?.flush(), sendMetrics()]),
    /** Spans that no collector accepted. */
    dropped: () => spans?.dropped() ?? 0,
    async close() {
      clearInterval(timer)
      spans?.stop()
      traces?.close()
      metrics?.close()
      // A running export finishes first; then the last metrics get one attempt.
      await Promise.all([spans?.flush(), sending])
      await sendMetrics()
    },
  }
}
