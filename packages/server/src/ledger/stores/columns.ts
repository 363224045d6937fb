import type { CallLog, Hold } from '../books.ts'
import { claimsText } from '../budget-claims.ts'

/* Row values in the order in which both engines insert them. */

export function holdColumns(hold: Hold) {
  const { id, epoch, user_id, token_id, channel_id, amount, limited, progress, state, actual, price } = hold
  return [
    id,
    epoch,
    user_id,
    token_id,
    channel_id,
    amount,
    limited,
    progress,
    state,
    actual,
    price,
    hold.created_at,
    hold.closed_at,
    claimsText(hold.budgets),
  ]
}

export function logColumns(log: CallLog) {
  const { user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens, completion_tokens } = log
  const { quota, content, content_en, request_id, elapsed_time, first_byte_time, is_stream, detail, session } = log
  const { outcome } = log
  return [
    ...[user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens, completion_tokens],
    ...[quota, content, content_en, request_id, elapsed_time, first_byte_time, is_stream, detail, session, outcome],
  ]
}
