import { expect, test } from 'bun:test'
import type { DashboardRow } from '@tollgate/contract'
import { dayTotal, highestDay, lastDays, todays, totalsOf, usageByDay } from './usage-data.ts'

const NOW = { ms: Date.parse('2026-11-15T01:30:00Z'), utcOffsetMinutes: 0 }

const row = (Day: string, ModelName: string, Quota: number): DashboardRow => ({
  Day,
  ModelName,
  Quota,
  RequestCount: 2,
  PromptTokens: 30,
  CompletionTokens: 10,
})

test('today is the day of the reader’s clock', () => {
  const at = (time: string, utcOffsetMinutes: number) => lastDays({ ms: Date.parse(time), utcOffsetMinutes }).at(-1)
  expect(at('2026-11-15T16:00:00Z', 480)).toBe('2026-11-16')
  expect(at('2026-11-15T15:59:59Z', 480)).toBe('2026-11-15')
  expect(at('2026-11-15T02:59:59Z', -180)).toBe('2026-11-14')
})

test('seven days end with today', () => {
  expect(lastDays(NOW)).toEqual([
    '2026-11-09',
    '2026-11-10',
    '2026-11-11',
    '2026-11-12',
    '2026-11-13',
    '2026-11-14',
    '2026-11-15',
  ])
})

test('usage is laid out by day and model, the largest model first [R2.03]', () => {
  const rows = [row('2026-11-14', 'gpt-4.1', 5), row('2026-11-15', 'gpt-4.1', 1), row('2026-11-15', 'claude', 90)]
  const { series, days } = usageByDay(rows, 'quota', NOW)
  expect(series).toEqual([
    { key: 'm0', model: 'claude', total: 90 },
    { key: 'm1', model: 'gpt-4.1', total: 6 },
  ])
  expect(days).toHaveLength(7)
  expect(days[5]).toEqual({ day: '2026-11-14', m0: 0, m1: 5 })
  expect(days[6]).toEqual({ day: '2026-11-15', m0: 90, m1: 1 })
})

test('requests and tokens can be counted instead', () => {
  const rows = [row('2026-11-15', 'a', 1)]
  expect(usageByDay(rows, 'requests', NOW).series[0]?.total).toBe(2)
  expect(usageByDay(rows, 'tokens', NOW).series[0]?.total).toBe(40)
})

test('beyond the five largest, models are shown together, unless only one would be', () => {
  const models = (count: number) =>
    Array.from({ length: count }, (_, index) => row('2026-11-15', `m-${index}`, index + 1))
  expect(usageByDay(models(6), 'quota', NOW).series.map(({ model }) => model)).not.toContain(undefined)
  const { series, days } = usageByDay(models(8), 'quota', NOW)
  expect(series).toHaveLength(6)
  expect(series.at(-1)).toEqual({ key: 'rest', model: undefined, total: 1 + 2 + 3 })
  expect(days.at(-1)).toMatchObject({ rest: 6 })
})

test('a day comes to the sum of its models, and the axis reaches the highest', () => {
  const rows = [row('2026-11-14', 'a', 5), row('2026-11-15', 'a', 1), row('2026-11-15', 'b', 90)]
  const table = usageByDay(rows, 'quota', NOW)
  expect(table.days.map((day) => dayTotal(day, table.series))).toEqual([0, 0, 0, 0, 0, 5, 91])
  expect(highestDay(table)).toBe(91)
  expect(highestDay(usageByDay([], 'quota', NOW))).toBe(0)
})

test("today's figures leave out the days before", () => {
  const rows = [row('2026-11-14', 'a', 5), row('2026-11-15', 'a', 7), row('2026-11-15', 'b', 3)]
  expect(totalsOf(todays(rows, NOW))).toEqual({ quota: 10, requests: 4, tokens: 80 })
  expect(totalsOf([])).toEqual({ quota: 0, requests: 0, tokens: 0 })
})
