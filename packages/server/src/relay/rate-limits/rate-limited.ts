import type { Text } from '@tollgate/contract'
import { type ErrorCode, GatewayError } from '../../common/errors.ts'
import type { ApiFamily } from '../surfaces/api-family.ts'
import type { AppliedLimit } from './applied-limits.ts'

/** A rate-limited call, with the limit and when to retry. */
export class RateLimited extends GatewayError {
  readonly retryAfterSec: number
  /** OpenAI's name of the exceeded unit. */
  readonly type: 'requests' | 'tokens'

  constructor(
    { scope, model, of, limit }: AppliedLimit,
    waitMs: number,
    readonly headers: (family: ApiFamily) => Record<string, string>,
  ) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    const owner = inWords(`relay.limit_of_${scope}`)
    const whose = model === '' ? owner : inWords('relay.limit_of_model', { whose: owner, model })
    super('relay.rate_limited', { whose, kind: inWords(`relay.limit_${of}`), limit, seconds })
    this.retryAfterSec = seconds
    this.type = of === 'tpm' ? 'tokens' : 'requests'
  }
}

function inWords(code: ErrorCode, values: Record<string, string | Text> = {}): Text {
  const words = new GatewayError(code, values)
  return { zh: words.in('zh'), en: words.in('en') }
}
