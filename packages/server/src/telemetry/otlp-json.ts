import type { Counted, Labels, Metric } from '../metrics/metric.ts'

/*
 * OTLP in its JSON encoding: ids are hex, 64-bit numbers are text, kinds and states are numbers.
 */

export type Attributes = Readonly<Record<string, string | number | readonly string[] | undefined>>

export const SERVER = 2
export const CLIENT = 3
const ERROR = 2
const CUMULATIVE = 2

/** A span until it is sent. */
export interface Span {
  name: string
  kind: typeof SERVER | typeof CLIENT
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  state: string
  startMs: number
  endMs: number
  attributes: Attributes
  isError: boolean
}

const VALUE_MAX = 256

export const tracesBody = (resource: Attributes, scope: Scope, spans: readonly Span[]) =>
  JSON.stringify({
    resourceSpans: [
      { resource: { attributes: encoded(resource) }, scopeSpans: [{ scope, spans: spans.map(encodedSpan) }] },
    ],
  })

export const metricsBody = (
  resource: Attributes,
  scope: Scope,
  { metrics, sinceMs, nowMs }: { metrics: readonly Metric[]; sinceMs: number; nowMs: number },
) => {
  const times = { startTimeUnixNano: nanos(sinceMs), timeUnixNano: nanos(nowMs) }
  const reported = metrics.filter(({ points }) => points.length > 0).map((metric) => encodedMetric(metric, times))
  return JSON.stringify({
    resourceMetrics: [{ resource: { attributes: encoded(resource) }, scopeMetrics: [{ scope, metrics: reported }] }],
  })
}

export interface Scope {
  name: string
  version: string
}

const encodedSpan = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
  ...(span.state !== '' && { traceState: span.state }),
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: nanos(span.startMs),
  endTimeUnixNano: nanos(span.endMs),
  attributes: encoded(span.attributes),
  status: span.isError ? { code: ERROR } : {},
})

function encodedMetric({ name, help, type, unit, points }: Metric, times: object) {
  const head = { name, description: help, ...(unit !== undefined && { unit }) }
  const dataPoints = points.map(({ labels, value }) => ({
    ...{ attributes: encoded(labels), ...times },
    ...(typeof value === 'number' ? { asDouble: value } : encodedBuckets(value)),
  }))
  if (type === 'gauge') return { ...head, gauge: { dataPoints } }
  if (type === 'histogram') return { ...head, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } }
  return { ...head, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
}

const encodedBuckets = ({ bounds, counts, sum }: Counted) => ({
  count: String(counts.reduce((all, count) => all + count, 0)),
  sum,
  bucketCounts: counts.map(String),
  explicitBounds: bounds,
})

const encoded = (attributes: Attributes | Labels) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : { key, value: encodedValue(value) }))

function encodedValue(value: string | number | readonly string[]): object {
  if (typeof value === 'string') return { stringValue: value.slice(0, VALUE_MAX) }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map(encodedValue) } }
}

/** Exact to the microsecond, the clock's resolution. */
const nanos = (ms: number) => `${Math.round(ms * 1000)}000`
