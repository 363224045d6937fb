import { ConfigError } from './config.ts'

const UNITS = new Map<string, number>([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
])
const EXPECTED =
  'must be a duration such as 90m, 24h or 7d, a date (2026-11-14, in UTC) or a time with its zone (2026-11-14T08:00Z)'

/** The value of a flag. A duration counts back from now. A time without a zone is ambiguous and rejected. */
export const momentOf = (flag: string, text: string, nowSec: number) => {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count !== undefined) return Math.max(0, nowSec - Number(count) * (UNITS.get(unit) ?? 0))
  const [, day] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? []
  const moment = Date.parse(text)
  if (day === undefined || Number.isNaN(moment) || !isDay(day)) throw new ConfigError(`--${flag} ${EXPECTED}`)
  if (moment > nowSec * 1000) throw new ConfigError(`--${flag} must not lie in the future`)
  return Math.max(0, Math.floor(moment / 1000))
}

/** Some parsers read February 30 as March 2. */
function isDay(text: string) {
  const moment = Date.parse(text)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text)
}
