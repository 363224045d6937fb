import type { AnalyticsQuery, AnalyticsRow, Dimension, Step } from '@tollgate/contract'
import { createAnalyticsService } from '../analytics/analytics-service.ts'
import { figurePacksRepository } from '../analytics/figure-packs-repository.ts'
import { createPackDays } from '../analytics/pack-days.ts'
import { FOUR_DAYS, firstDayOf } from '../analytics/zone-time.ts'
import { offsetAt } from '../common/calendar.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { testApp } from './app.ts'
import { makeLogs } from './log-makers.ts'
import { seeded } from './seeded.ts'

/** The clocks of Berlin and New York change within this range. */
export const START = Date.parse('2026-02-20T05:00:00Z') / 1000
export const END = START + 60 * DAY
export const ZONES = [
  'UTC',
  'Asia/Shanghai',
  'Asia/Kolkata',
  'Europe/Berlin',
  'America/New_York',
  'America/Los_Angeles',
]
export const STEPS: Step[] = ['day', 'week', 'month']
export const EVERY: readonly Dimension[] = ['model', 'channel', 'user', 'key']

export async function packedDaysFixture() {
  const app = await testApp()
  const random = seeded(5)
  const calls = Array.from({ length: 260 }, () => callAt(START + random(60 * DAY), random))
  await makeLogs(app, ...calls)
  const clock = { minutes: 0, now: () => (END + 40 * DAY) * 1000 + clock.minutes * 60_000 }
  const service = () =>
    createAnalyticsService({
      ...{ db: app.db, clock, tally: { flush: async () => {} }, history: { isFilling: async () => false } },
    })
  // A new service each time, because it caches what it has read.
  const read = (query: Partial<AnalyticsQuery>) => service().read('everyone', { ...PLAIN, ...query })
  const same = service()
  /** From one service, so many minutes later. */
  const readAgain = (query: Partial<AnalyticsQuery>, minutes = 0) => {
    clock.minutes = minutes
    return same.read('everyone', { ...PLAIN, ...query })
  }
  /** The days that may be read from packs, four at a time, with their totals. */
  const packed = async () => {
    const repository = figurePacksRepository(await upToDateFigures(app.db))
    const valid = await repository.valid({ from: START - FOUR_DAYS, until: END + FOUR_DAYS })
    return valid.map(({ span, start, total }) => ({ span, start, total })).sort((one, other) => one.start - other.start)
  }
  return { app, random, calls, read, readAgain, packed, packDays: createPackDays({ db: app.db, clock }).job.run }
}

const PLAIN: AnalyticsQuery = {
  ...{ start: START, end: END, zone: 'UTC', step: undefined, top: 100, order: 'quota', by: [] },
  ...{ model: undefined, channel: undefined, user: undefined, group: undefined, key: undefined, outcome: undefined },
}

export function callAt(created_at: number, random: (below: number) => number) {
  const user_id = 1 + random(4)
  return {
    ...{ created_at, user_id, username: `user-${user_id}`, token_name: `key-${random(2)}`, type: 2 },
    ...{ model_name: `model-${random(3)}`, channel: 1 + random(3), quota: 1 + random(100), prompt_tokens: random(50) },
  }
}

export type Call = ReturnType<typeof callAt>

export const NAME_OF: Partial<Record<Dimension, (call: Call) => string>> = {
  model: ({ model_name }) => model_name,
  channel: ({ channel }) => String(channel),
  user: ({ username }) => username,
  key: ({ username, token_name }) => `${username} ${token_name}`,
}

const told = (row: AnalyticsRow) => [row.user, row.key, row.model, row.channel].filter((name) => name !== undefined)

/** Calls and quota by name, from the rows of an answer and from the log. */
export const ofRows = (rows: readonly AnalyticsRow[]) =>
  Object.fromEntries(rows.map((row) => [[row.time, ...told(row)].join(' '), [row.calls, row.quota, row.prompt_tokens]]))

export const byGroup = (rows: readonly AnalyticsRow[]) =>
  Object.fromEntries(
    rows.map((row) => [[row.time ?? [], row.group].flat().join(' '), [row.calls, row.quota, row.prompt_tokens]]),
  )

export function ofLog(calls: readonly Call[], nameOf: (call: Call) => string) {
  const sums: Record<string, number[]> = {}
  for (const call of calls) {
    const [count = 0, quota = 0, tokens = 0] = sums[nameOf(call)] ?? []
    sums[nameOf(call)] = [count + 1, quota + call.quota, tokens + call.prompt_tokens]
  }
  return sums
}

/** The start of the step that contains the hour of a call. */
export function stepOf(at: number, step: Exclude<Step, 'hour'>, zone: string) {
  const hour = at - (at % HOUR)
  const begin = firstDayOf(step, Math.floor((hour + offsetAt(zone, hour)) / DAY)) * DAY
  return begin - offsetAt(zone, begin - offsetAt(zone, begin))
}

export const dayIn = (zone: string, { created_at }: Call) => stepOf(created_at, 'day', zone)

/** Without a time there is no prefix before the name. */
export const withoutTime = (sums: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [` ${name}`, sum]))
