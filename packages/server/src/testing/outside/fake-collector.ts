import { onTestFinished } from 'bun:test'
import { z } from 'zod'
import { recordingServer } from './recording-server.ts'

const id = (bytes: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${bytes * 2}}$`))
const whole = z.string().regex(/^\d+$/)
const Value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: whole }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }) }),
])
const attributes = z.array(z.strictObject({ key: z.string().min(1), value: Value }))
const resource = z.strictObject({ attributes })
const scope = z.strictObject({ name: z.string(), version: z.string() })

const Span = z.strictObject({
  ...{ traceId: id(16), spanId: id(8), parentSpanId: id(8).optional(), traceState: z.string().optional() },
  ...{ name: z.string().min(1), kind: z.int().min(1).max(5), startTimeUnixNano: whole, endTimeUnixNano: whole },
  ...{ attributes, status: z.strictObject({ code: z.int().min(0).max(2).optional() }) },
})
const Traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({ resource, scopeSpans: z.array(z.strictObject({ scope, spans: z.array(Span) })) }),
  ),
})

const times = { attributes, startTimeUnixNano: whole, timeUnixNano: whole }
const numbers = z.array(z.strictObject({ ...times, asDouble: z.number() }))
const buckets = z.array(
  z.strictObject({
    ...{ ...times, count: whole, sum: z.number(), bucketCounts: z.array(whole), explicitBounds: z.array(z.number()) },
  }),
)
const Metric = z.strictObject({
  ...{ name: z.string().min(1), description: z.string(), unit: z.string().optional() },
  gauge: z.strictObject({ dataPoints: numbers }).optional(),
  sum: z
    .strictObject({ aggregationTemporality: z.literal(2), isMonotonic: z.literal(true), dataPoints: numbers })
    .optional(),
  histogram: z.strictObject({ aggregationTemporality: z.literal(2), dataPoints: buckets }).optional(),
})
const Metrics = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({ resource, scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(Metric) })) }),
  ),
})

const flat = (list: z.infer<typeof attributes>) =>
  Object.fromEntries(
    list.map(({ key, value }) => {
      if ('arrayValue' in value) return [key, value.arrayValue.values.map(({ stringValue }) => stringValue)]
      if ('intValue' in value) return [key, Number(value.intValue)]
      return [key, Object.values(value)[0]]
    }),
  )

/** A collector that accepts only valid OTLP JSON, with every name and type of the protocol. */
export const fakeCollector = (answer: () => Response = () => Response.json({})) => {
  const server = recordingServer(answer)
  onTestFinished(() => void server.stop())
  const sent = (path: string) => server.received.filter((request) => request.path === path)
  const bodies = (path: string): unknown[] => sent(path).map(({ body }) => JSON.parse(body))
  return {
    ...server,
    /** All received spans, with their attributes by name. */
    spans: () =>
      bodies('/v1/traces').flatMap((body) =>
        Traces.parse(body).resourceSpans.flatMap(({ resource: of, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({ ...span, attributes: flat(span.attributes), resource: flat(of.attributes) })),
          ),
        ),
      ),
    /** The last received series of a metric. */
    series(name: string) {
      const last = Metrics.parse(bodies('/v1/metrics').at(-1))
      const metrics = last.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics))
      const metric = metrics.find((one) => one.name === name)
      const numberPoints = metric?.sum?.dataPoints ?? metric?.gauge?.dataPoints
      if (numberPoints !== undefined)
        return numberPoints.map((point) => ({
          labels: flat(point.attributes),
          value: point.asDouble,
          count: undefined,
        }))
      return (metric?.histogram?.dataPoints ?? []).map((point) => ({
        ...{ labels: flat(point.attributes), value: point.sum, count: Number(point.count) },
      }))
    },
  }
}
