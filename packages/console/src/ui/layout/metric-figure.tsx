import type { Metrics } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { formatTimestamp } from '../../lib/format/time.ts'
import type { Span } from '../../lib/usage/time-range.ts'
import { type Metric, measure } from '../../lib/usage/usage-metrics.ts'
import { useMetric } from '../../lib/usage/use-metric.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { Figure } from './figure.tsx'

interface MetricFigureProps {
  metric: Metric
  /** Absent while loading. */
  now: Metrics | undefined
  before: (Metrics & Span) | undefined
  note?: ReactNode
  link?: (value: string) => ReactNode
}

/** For these, more is worse. */
const BAD_UP: readonly Metric[] = ['failed', 'failed_share', 'first_byte_p50', 'first_byte_p95', 'elapsed_p95']

/** A metric and its change from the previous period. */
export function MetricFigure({ metric, now, before, note, link }: MetricFigureProps) {
  const text = useText(usageText)
  const words = useMetric(metric)
  const value = now && measure(now, metric)
  const earlier = before && measure(before, metric)
  const change = words.change(value ?? null, earlier ?? null)
  const shown = value === null ? '—' : value === undefined ? undefined : words.show(value)
  return (
    <Figure
      label={words.name}
      value={shown}
      title={value === null || value === undefined ? undefined : words.explain(value)}
      change={
        change && {
          ...change,
          isBad: change.direction === 'up' && BAD_UP.includes(metric),
          title: text.before(words.show(earlier ?? 0), ...ends(before)),
        }
      }
      note={note}
      {...(link !== undefined && value !== null && { link })}
    />
  )
}

const ends = (span: Span | undefined): [string, string] => [minute(span?.start ?? 0), minute(span?.end ?? 0)]

const minute = (seconds: number) => formatTimestamp(seconds).slice(0, 16)
