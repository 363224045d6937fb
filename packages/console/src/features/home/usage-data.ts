import type { DashboardRow } from '@tollgate/contract'
import { utcOffsetMinutes } from '../../lib/time.ts'

export type Metric = 'quota' | 'requests' | 'tokens'
export const METRICS: readonly Metric[] = ['quota', 'requests', 'tokens']

const DAYS = 7
const MODELS_MAX = 5
const DAY_MS = 86_400_000

export interface Series {
  /** A name of our own: charts read a model called `gpt-4.1` as a path. */
  key: string
  /** Undefined for all models beyond the largest. */
  model: string | undefined
  total: number
}

export type UsageDay = { day: string } & Record<string, number | string>

export interface UsageTable {
  series: Series[]
  days: UsageDay[]
}

/** A moment, and how far the clock that tells its day is ahead of UTC. */
export interface Now {
  ms: number
  utcOffsetMinutes: number
}

export const readersNow = (): Now => ({ ms: Date.now(), utcOffsetMinutes: utcOffsetMinutes() })

/** The last seven days with today, oldest first. */
export const lastDays = ({ ms, utcOffsetMinutes }: Now) =>
  Array.from({ length: DAYS }, (_, index) => dayOf({ ms: ms - (DAYS - 1 - index) * DAY_MS, utcOffsetMinutes }))

/** One column per day, one part per model: the largest models by name, the rest together. */
export function usageByDay(rows: readonly DashboardRow[], metric: Metric, now: Now): UsageTable {
  const names = [...sumBy(rows, metric)].sort(([, a], [, b]) => b - a)
  const kept = names.slice(0, names.length > MODELS_MAX + 1 ? MODELS_MAX : MODELS_MAX + 1)
  const rest = names.slice(kept.length)
  const series: Series[] = kept.map(([model, total], index) => ({ key: `m${index}`, model, total }))
  if (rest.length > 0) {
    const total = rest.reduce((sum, [, value]) => sum + value, 0)
    series.push({ key: 'rest', model: undefined, total })
  }
  const keyOf = new Map(kept.map(([model], index) => [model, `m${index}`]))
  const days = lastDays(now).map((day) => {
    const entry: UsageDay = { day }
    for (const { key } of series) entry[key] = 0
    for (const row of rows.filter(({ Day }) => Day === day)) {
      const key = keyOf.get(row.ModelName) ?? 'rest'
      entry[key] = Number(entry[key] ?? 0) + measure(row, metric)
    }
    return entry
  })
  return { series, days }
}

export interface Totals {
  quota: number
  requests: number
  tokens: number
}

export const totalsOf = (rows: readonly DashboardRow[]): Totals => ({
  quota: sum(rows, 'quota'),
  requests: sum(rows, 'requests'),
  tokens: sum(rows, 'tokens'),
})

export const todays = (rows: readonly DashboardRow[], now: Now) => rows.filter(({ Day }) => Day === dayOf(now))

/** What the highest of the days comes to. */
export const highestDay = ({ days, series }: UsageTable) => Math.max(0, ...days.map((day) => dayTotal(day, series)))

export const dayTotal = (day: UsageDay, series: readonly Series[]) =>
  series.reduce((total, { key }) => total + Number(day[key] ?? 0), 0)

function measure(row: DashboardRow, metric: Metric) {
  if (metric === 'quota') return row.Quota
  return metric === 'requests' ? row.RequestCount : row.PromptTokens + row.CompletionTokens
}

function sum(rows: readonly DashboardRow[], metric: Metric) {
  return rows.reduce((total, row) => total + measure(row, metric), 0)
}

function sumBy(rows: readonly DashboardRow[], metric: Metric) {
  const totals = new Map<string, number>()
  for (const row of rows) totals.set(row.ModelName, (totals.get(row.ModelName) ?? 0) + measure(row, metric))
  return totals
}

function dayOf({ ms, utcOffsetMinutes }: Now) {
  return new Date(ms + utcOffsetMinutes * 60_000).toISOString().slice(0, 10)
}
