import type { Actor } from '../common/actor.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Rule } from '../limits/rule.ts'
import { takeAll } from '../limits/too-many-requests.ts'
import { limitKey } from './client-address.ts'

/** Rate limits. Signed-in users are counted by account, so that an office behind one address can work. */
export interface Limits {
  api(actor: Actor | undefined, ip: string): Promise<void>
  web(ip: string): Promise<void>
  /** Calls that cost money or could be used for guessing, counted per path. */
  critical(path: string, ip: string): Promise<void>
}

export const createLimits = (limiter: Limiter, max: { api: number; web: number; critical: number }): Limits => {
  const API: Rule = { name: 'api', max: max.api, windowSec: 180 }
  const WEB: Rule = { name: 'web', max: max.web, windowSec: 180 }
  const CRITICAL: Rule = { name: 'critical', max: max.critical, windowSec: 1200 }

  const take = (rule: Rule, key: string) => takeAll(limiter, [[rule, key]], 'http.too_many')

  return {
    api: (actor, ip) => take(API, actor === undefined ? `ip:${limitKey(ip)}` : `user:${actor.id}`),
    web: (ip) => take(WEB, limitKey(ip)),
    critical: (path, ip) => take(CRITICAL, `${path}:${limitKey(ip)}`),
  }
}
