import { GatewayError } from '../common/errors.ts'
import type { Limiter } from './limiter.ts'
import type { Rule } from './rule.ts'

type Code = 'http.too_many' | 'mail.too_often'

/** Refused for now; says when to retry. */
export class TooManyRequests extends GatewayError {
  constructor(
    code: Code,
    readonly retryAfterSec: number,
  ) {
    super(code)
  }
}

/** Counts against every rule, or refuses and counts against none: a refused request must not use up other rules. */
export const takeAll = async (limiter: Limiter, counted: [Rule, string][], code: Code) => {
  for (const [position, [rule, key]] of counted.entries()) {
    const verdict = await limiter.take(rule, key)
    if (verdict.allowed) continue
    for (const [earlier, earlierKey] of counted.slice(0, position)) await limiter.giveBack(earlier, earlierKey)
    throw new TooManyRequests(code, verdict.retryAfterSec)
  }
}
