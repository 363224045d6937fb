import type { Counted, Labels, Metric } from './metric.ts'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics in Prometheus' text format. One without any series is left out. */
export const exposition = (metrics: readonly Metric[]): string =>
  `${metrics
    .filter(({ points }) => points.length > 0)
    .flatMap((metric) => [
      `# HELP ${metric.name} ${metric.help}`,
      `# TYPE ${metric.name} ${metric.type}`,
      ...metric.points.flatMap(({ labels, value }) =>
        typeof value === 'number'
          ? `${metric.name}${braced(labelText(labels))} ${value}`
          : bucketLines(metric.name, labelText(labels), value),
      ),
    ])
    .join('\n')}\n`

/** Names of models come from callers and channels' from operators: a quote would end the label. */
export const label = (name: string, value: string) =>
  `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

const labelText = (labels: Labels) =>
  Object.entries(labels)
    .map(([name, value]) => label(name, value))
    .join(',')

const braced = (text: string) => (text === '' ? '' : `{${text}}`)

/** Each line has everything up to its bound. */
function bucketLines(name: string, labels: string, { bounds, counts, sum }: Counted): string[] {
  let below = 0
  const buckets = counts.map((count, index) => {
    below += count
    return `${name}_bucket{${labels},le="${bounds[index] ?? '+Inf'}"} ${below}`
  })
  return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${below}`]
}
