import { z } from 'zod'

/** OTLP exporter settings, from the variables of the OpenTelemetry specification. */
export interface OtlpConfig {
  /** Undefined when traces are not exported. */
  tracesUrl: string | undefined
  metricsUrl: string | undefined
  /** For the collector; they may contain its key. */
  headers: Readonly<Record<string, string>>
  /** Resource attributes of this service. */
  resource: Readonly<Record<string, string>>
  sampler: Sampler
  /** The batch interval of spans. */
  spansEveryMs: number
  metricsEveryMs: number
}

export interface Sampler {
  /** Whether the caller's sampling decision is followed. */
  followsCaller: boolean
  /** The sampled share of all other calls. */
  share: number
}

const SAMPLERS = {
  always_on: { followsCaller: false, share: () => 1 },
  always_off: { followsCaller: false, share: () => 0 },
  traceidratio: { followsCaller: false, share: (given: number) => given },
  parentbased_always_on: { followsCaller: true, share: () => 1 },
  parentbased_always_off: { followsCaller: true, share: () => 0 },
  parentbased_traceidratio: { followsCaller: true, share: (given: number) => given },
}

const address = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'must be a URL that begins with http:// or https://',
})

/** `name=value` separated by commas, values percent-encoded. Messages never repeat a value: it may be a secret. */
const pairs = z
  .string()
  .default('')
  .transform((text, context) => {
    const parts = text.split(',').filter((part) => part.trim() !== '')
    const found = parts.map((part) => [part.slice(0, part.indexOf('=')).trim(), decoded(part)] as const)
    const isBad = ([name, value]: (typeof found)[number]) =>
      !/^[\w.!#$%&'*+^`|~-]{1,128}$/.test(name) || value === undefined
    if (!found.some(isBad) && parts.every((part) => part.includes('=')))
      return Object.fromEntries(found.map(([name, value]) => [name, value ?? '']))
    context.addIssue({ code: 'custom', message: 'must be a comma list of name=value, the values percent-encoded' })
    return z.NEVER
  })

function decoded(part: string) {
  try {
    const value = decodeURIComponent(part.slice(part.indexOf('=') + 1).trim())
    return /^[\x20-\x7e\u0080-\uffff]*$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}

const milliseconds = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)

/** The names used in collectors' documentation. */
export const OTLP_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_SERVICE_NAME: z.string().max(256).optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_TRACES_SAMPLER: z
    .string()
    .refine((name): name is keyof typeof SAMPLERS => Object.hasOwn(SAMPLERS, name), {
      error: `must be one of ${Object.keys(SAMPLERS).join(', ')}`,
    })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((text) => /^[01](\.\d+)?$|^\.\d+$/.test(text) && Number(text) <= 1, {
      error: 'must be a number from 0 to 1',
    })
    .transform(Number)
    .optional(),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds(100, 600_000).default(5000),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds(1000, 3_600_000).default(60_000),
  OTEL_SDK_DISABLED: z.string().default(''),
}

const Variables = z.object(OTLP_VARIABLES)

/** Undefined when nothing is exported, which is the default. */
export const readOtlpConfig = (value: z.infer<typeof Variables>): OtlpConfig | undefined => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_SERVICE_NAME: name } = value
  const below = (path: string) => (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/${path}`)
  const tracesUrl = value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? below('traces')
  const metricsUrl = value.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? below('metrics')
  if (value.OTEL_SDK_DISABLED.toLowerCase() === 'true') return undefined
  if (tracesUrl === undefined && metricsUrl === undefined) return undefined
  const { followsCaller, share } = SAMPLERS[value.OTEL_TRACES_SAMPLER]
  return {
    ...{ tracesUrl, metricsUrl, headers: value.OTEL_EXPORTER_OTLP_HEADERS },
    resource: { 'service.name': 'tollgate', ...value.OTEL_RESOURCE_ATTRIBUTES, ...(name && { 'service.name': name }) },
    sampler: { followsCaller, share: share(value.OTEL_TRACES_SAMPLER_ARG ?? 1) },
    spansEveryMs: value.OTEL_BSP_SCHEDULE_DELAY,
    metricsEveryMs: value.OTEL_METRIC_EXPORT_INTERVAL,
  }
}
