import { nowSeconds, zoneName } from './time.ts'

/** The reader's IANA time zone: `Asia/Shanghai`. */
export const readersZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

interface Days {
  first: string
  last: string
}

/** For display, now or in a range of days: `Asia/Shanghai (UTC+8)`. */
export const readersZoneName = (days?: Days) => zoneInWords(readersZone(), days)

/** A range in which clocks change has both: `Europe/Berlin (UTC+2 → UTC+1)`. Where the zone has no other name, `UTC`. */
export const zoneInWords = (zone: string, days?: Days) => {
  const moments =
    days === undefined ? [nowSeconds()] : [dayStart(days.first, zone), dayStart(addDays(days.last, 1), zone) - 1]
  const distances = new Set(moments.map((seconds) => zoneName((wallClockMs(seconds, zone) - seconds * 1000) / 60_000)))
  const distance = [...distances].join(' → ')
  return zone === distance ? zone : `${zone} (${distance})`
}

const DAY_MS = 86_400_000
const clocks = new Map<string, Intl.DateTimeFormat>()

/** The local time of a zone, read as if it were UTC. */
const wallClockMs = (seconds: number, zone: string) => {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...PARTS, timeZone: zone })
  clocks.set(zone, clock)
  const parts = Object.fromEntries(clock.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

const PARTS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
} as const

/** The date in a zone: `2026-11-15`. */
export const dayIn = (zone: string, seconds: number) => isoDay(wallClockMs(seconds, zone))

/** The time in a zone: `08:30`. */
export const clockIn = (zone: string, seconds: number) =>
  new Date(wallClockMs(seconds, zone)).toISOString().slice(11, 16)

/** The first second of a day in a zone. Where midnight is skipped, it is the moment of the change; some zones skipped a whole day. */
export const dayStart = (day: string, zone: string) => {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const offsets = [midnight - DAY_MS, midnight + DAY_MS].map((ms) => wallClockMs(ms / 1000, zone) - ms)
  const begins = offsets.map((offset) => (midnight - offset) / 1000).filter((seconds) => dayIn(zone, seconds) === day)
  return begins.length > 0 ? Math.min(...begins) : (midnight - (offsets[1] ?? 0)) / 1000
}

export const addDays = (day: string, days: number) => isoDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS)

/** In this century; `2026-02-30` is invalid. */
export const isDay = (text: string) =>
  /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && addDays(text, 0) === text

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
