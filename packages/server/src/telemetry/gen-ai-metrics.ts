import { createHistogram, type Histogram } from '../metrics/histogram.ts'
import type { Labels, Metric } from '../metrics/metric.ts'

/** The bucket bounds recommended by the conventions. */
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const FIRST_TOKEN_SEC = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Above this number of series the models are merged. */
const SERIES_MAX = 500
const OTHER = 'other'

const METRICS = {
  'gen_ai.client.token.usage': { unit: '{token}', help: 'Number of input and output tokens used.', bounds: TOKENS },
  'gen_ai.client.operation.duration': { unit: 's', help: 'Duration of one attempt at a channel.', bounds: SECONDS },
  'gen_ai.server.request.duration': { unit: 's', help: 'Duration of a call, retries included.', bounds: SECONDS },
  'gen_ai.server.time_to_first_token': {
    ...{ unit: 's', bounds: FIRST_TOKEN_SEC },
    help: 'Time until the answer of a successful call began.',
  },
}
type Name = keyof typeof METRICS

export type GenAiMetrics = ReturnType<typeof createGenAiMetrics>

/** The histograms of the conventions for generative AI, since the start of this process. */
export const createGenAiMetrics = () => {
  const series = new Map<Name, Map<string, { labels: Labels; histogram: Histogram }>>()

  const histogramOf = (name: Name, labels: Labels): Histogram => {
    const all = series.get(name) ?? new Map<string, { labels: Labels; histogram: Histogram }>()
    series.set(name, all)
    const key = JSON.stringify(labels)
    const known = all.get(key)
    if (known !== undefined) return known.histogram
    if (all.size >= SERIES_MAX && labels['gen_ai.request.model'] !== OTHER)
      return histogramOf(name, { ...labels, 'gen_ai.request.model': OTHER })
    const histogram = createHistogram(METRICS[name].bounds)
    all.set(key, { labels, histogram })
    return histogram
  }

  return {
    observe(name: Name, labels: Labels, value: number) {
      histogramOf(name, labels).observe(value)
    },

    read: (): Metric[] =>
      [...series].map(([name, all]) => ({
        ...{ name, type: 'histogram', unit: METRICS[name].unit, help: METRICS[name].help },
        points: [...all.values()].map(({ labels, histogram }) => ({ labels, value: histogram.read() })),
      })),
  }
}
