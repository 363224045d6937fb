import { LogType, type Text } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import type { CallLog } from './books.ts'

/** Why no more is known, and the flag of the call's log row. */
export interface Recovery extends Text {
  flag?: string
}

interface OfHold {
  id: string
  userId: number
  username: string
  tokenName: string
  /** The prices of the hold, as JSON. */
  price: string
}

/** The log row of a call of which no more is known than its hold. Whoever ends the hold fills in the amount. */
export function recoveredLog({ id, userId, username, tokenName, price }: OfHold, clock: Clock, why: Recovery): CallLog {
  const frozen: unknown = JSON.parse(price)
  const model = typeof frozen === 'object' && frozen !== null && 'model' in frozen ? String(frozen.model) : ''
  return {
    user_id: userId,
    created_at: seconds(clock),
    type: LogType.consume,
    channel: 0,
    username,
    token_name: tokenName,
    model_name: model,
    prompt_tokens: 0,
    completion_tokens: 0,
    quota: 0,
    content: why.zh,
    content_en: why.en,
    request_id: id,
    elapsed_time: 0,
    first_byte_time: 0,
    is_stream: 1,
    detail: JSON.stringify({ price: frozen, source: 'estimated', flag: why.flag }),
    session: null,
    outcome: 'upstream_error',
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
  }
}
