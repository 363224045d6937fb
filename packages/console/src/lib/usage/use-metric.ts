import { useMemo } from 'react'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/usage.ts'
import { formatMs } from '../format/format-ms.ts'
import { useMoney } from '../format/money.tsx'
import { formatExact, formatNumber } from '../format/numbers.ts'
import { percentText } from '../format/share.ts'
import { type Axis, axisFor } from './axis.ts'
import { type Change, pointsChange, relativeChange } from './change.ts'
import { type Metric, metricKind } from './usage-metrics.ts'

export interface MetricText {
  name: string
  show: (value: number) => string
  /** The exact number behind a shortened one. */
  explain: (value: number) => string
  /** The axis of a chart that reaches `highest`, and how its marks read. */
  scale: (highest: number) => { axis: Axis; mark: (value: number) => string }
  change: (now: number | null, before: number | null) => Change | undefined
}

/** How a metric is called and read. */
export function useMetric(metric: Metric): MetricText {
  const text = useText(usageText)
  const money = useMoney()
  return useMemo(() => metricText(metric, text, money), [metric, text, money])
}

function metricText(metric: Metric, text: Words<typeof zh>, money: ReturnType<typeof useMoney>): MetricText {
  const name = text.metric[metric]
  const plain = (show: (value: number) => string, least = 0, unit = 1) => ({
    ...{ name, show, explain: show, change: relativeChange },
    scale: (highest: number) => ({ axis: scaled(highest, unit, least), mark: show }),
  })
  switch (metricKind(metric)) {
    case 'money':
      return {
        ...{ name, show: (value) => money.quota(value, 'fine'), explain: money.explained, change: relativeChange },
        scale: (highest) => {
          // Marked in round dollars, whatever quota that is.
          const axis = scaled(highest, money.inCurrency ? money.quotaPerUnit : 1, money.inCurrency ? 0 : 1)
          return { axis, mark: (value) => money.quota(value, axis.decimals === 1 ? 2 : axis.decimals) }
        },
      }
    case 'count':
      return { ...plain(formatNumber, 1), explain: formatExact }
    case 'share':
      return {
        ...plain(percentText, 0, 0.01),
        change: (now, before) => inPoints(pointsChange(now, before), text),
        scale: (highest) => {
          const axis = scaled(highest, 0.01, 0)
          return { axis, mark: (value) => `${(value * 100).toFixed(axis.decimals)}%` }
        },
      }
    case 'ms':
      return plain(formatMs, 1)
    case 'speed':
      return plain((value) => text.perSecond(value < 100 ? value.toFixed(1) : formatNumber(Math.round(value))))
  }
}

function scaled(highest: number, perUnit: number, least: number): Axis {
  const { ticks, decimals } = axisFor(highest / perUnit, least)
  return { ticks: ticks.map((tick) => tick * perUnit), decimals }
}

const inPoints = (change: Change | undefined, text: Words<typeof zh>): Change | undefined =>
  change && { ...change, text: text.points(change.text) }
