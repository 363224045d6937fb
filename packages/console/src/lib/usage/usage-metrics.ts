import type { AnalyticsQuery, Metrics } from '@tollgate/contract'

/** The metrics of calls, in the order of the menus. */
export const METRICS = [
  'quota',
  'calls',
  'failed',
  'failed_share',
  'tokens',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cached_share',
  'cache_write_tokens',
  'reasoning_tokens',
  'first_byte_p50',
  'first_byte_p95',
  'elapsed_p50',
  'elapsed_p95',
  'speed_p50',
] as const

export type Metric = (typeof METRICS)[number]
export type MetricKind = 'money' | 'count' | 'share' | 'ms' | 'speed'

const KINDS: Partial<Record<Metric, MetricKind>> = {
  quota: 'money',
  failed_share: 'share',
  cached_share: 'share',
  first_byte_p50: 'ms',
  first_byte_p95: 'ms',
  elapsed_p50: 'ms',
  elapsed_p95: 'ms',
  speed_p50: 'speed',
}

export const metricKind = (metric: Metric): MetricKind => KINDS[metric] ?? 'count'

/** Shares, times and speeds of two models cannot be added. */
export const metricAdds = (metric: Metric) => ['money', 'count'].includes(metricKind(metric))

/** By what the server chooses the top rows of a metric: a share or a time of few calls says little. */
export const orderOf = (metric: Metric): AnalyticsQuery['order'] => {
  if (metric === 'calls') return 'calls'
  if (metric === 'failed' || metric === 'failed_share') return 'failed'
  return metric === 'tokens' || metric.endsWith('_tokens') ? 'tokens' : 'quota'
}

/**
 * Null where nothing was measured, or is not known by this dimension: no calls have no share of failures, and those of one outcome have
 * all failed or none.
 */
export const measure = (figures: Metrics & { outcome?: string | undefined }, metric: Metric): number | null => {
  switch (metric) {
    case 'tokens':
      return figures.prompt_tokens === null ? null : figures.prompt_tokens + (figures.completion_tokens ?? 0)
    case 'failed_share':
      return figures.outcome === undefined ? share(figures.failed, figures.calls) : null
    case 'cached_share':
      return share(figures.cached_tokens, figures.prompt_tokens)
    default:
      return figures[metric]
  }
}

const share = (part: number | null, whole: number | null) => (whole ? (part ?? 0) / whole : null)
