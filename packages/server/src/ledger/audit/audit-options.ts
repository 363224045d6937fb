import { ConfigError } from '../../common/config.ts'
import { momentOf } from '../../common/moment.ts'

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
  const sinceSec = flags.since === undefined ? undefined : momentOf('since', flags.since, nowSec)
  return { json: has('json'), sinceSec, repair: !has('repair') ? 'not' : has('yes') ? 'carry out' : 'list' }
}
