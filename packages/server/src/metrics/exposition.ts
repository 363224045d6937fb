import type { Counted, Labels, Metric } from './metric.ts'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics in Prometheus' text format. One without any series is left out. Built as one string, because there may be ten thousand lines. */
export const exposition = (metrics: readonly Metric[]): string => {
  let text = ''
  for (const { name, help, type, points } of metrics) {
    if (points.length === 0) continue
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
    for (const { labels, value } of points) {
      const labelled = labelText(labels)
      text += typeof value === 'number' ? `${name}${braced(labelled)} ${value}\n` : bucketLines(name, labelled, value)
    }
  }
  return text
}

/** Model names come from callers and channel names from operators: a quote would end the label. */
export const label = (name: string, value: string) => `${name}="${ESCAPED.test(value) ? escaped(value) : value}"`

const ESCAPED = /[\\"\n]/
const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function labelText(labels: Labels) {
  let text = ''
  for (const name in labels) text += `${text === '' ? '' : ','}${label(name, labels[name] ?? '')}`
  return text
}

const braced = (text: string) => (text === '' ? '' : `{${text}}`)

/** Each line has everything up to its bound. */
function bucketLines(name: string, labels: string, { bounds, counts, sum }: Counted): string {
  let below = 0
  let text = ''
  for (const [index, count] of counts.entries()) {
    below += count
    text += `${name}_bucket{${labels},le="${bounds[index] ?? '+Inf'}"} ${below}\n`
  }
  return `${text}${name}_sum{${labels}} ${sum}\n${name}_count{${labels}} ${below}\n`
}
