import { ConfigError } from '../../common/config.ts'

/** The options of `tollgate audit`. */
export interface AuditOptions {
  json: boolean
  /** Only what happened since this second. */
  sinceSec: number | undefined
  repair: 'not' | 'list' | 'carry out'
}

/** Flags of the audit; the others are common to every command. */
export const AUDIT_FLAGS = ['json', 'since', 'repair', 'yes']

export const readAuditOptions = (flags: Record<string, string>, nowSec: number): AuditOptions => {
  const has = (name: string) => flags[name] !== undefined
  const valued = ['json', 'repair', 'yes'].find((name) => has(name) && flags[name] !== '')
  if (valued !== undefined) throw new ConfigError(`--${valued} takes no value`)
  if (has('yes') && !has('repair')) throw new ConfigError('--yes belongs to --repair')
  if (has('repair') && has('since')) {
    throw new ConfigError('--repair needs the whole ledger: what it computes are sums of all of it; leave out --since')
  }
  const sinceSec = flags.since === undefined ? undefined : momentOf(flags.since, nowSec)
  return { json: has('json'), sinceSec, repair: !has('repair') ? 'not' : has('yes') ? 'carry out' : 'list' }
}

const UNITS = new Map<string, number>([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
])
const EXPECTED =
  '--since must be a duration such as 90m, 24h or 7d, a date (2026-11-14, in UTC) or a time with its zone (2026-11-14T08:00Z)'

/** A duration counts back from now. A time without a zone is ambiguous and rejected. */
function momentOf(text: string, nowSec: number) {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count !== undefined) return Math.max(0, nowSec - Number(count) * (UNITS.get(unit) ?? 0))
  const [, day] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? []
  const moment = Date.parse(text)
  if (day === undefined || Number.isNaN(moment) || !isDay(day)) throw new ConfigError(EXPECTED)
  if (moment > nowSec * 1000) throw new ConfigError('--since must not lie in the future')
  return Math.max(0, Math.floor(moment / 1000))
}

/** Some parsers read February 30 as March 2. */
function isDay(text: string) {
  const moment = Date.parse(text)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text)
}
