import type { CallLog, Hold } from './books.ts'

/* The values of rows in the order in which both engines insert them. */

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
  ]
}

export function logColumns(log: CallLog) {
  const { user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens, completion_tokens } = log
  const { quota, content, content_en, request_id, elapsed_time, first_byte_time, is_stream, detail } = log
  return [
    ...[user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens, completion_tokens],
    ...[quota, content, content_en, request_id, elapsed_time, first_byte_time, is_stream, detail],
  ]
}

/** The calls of a batch, added up by what the hourly figures tell apart; in one order, in which the rows are locked. */
export function hourRows(logs: readonly CallLog[]) {
  const rows = new Map<string, [...HourKey, calls: number, quota: number, prompt: number, completion: number]>()
  for (const log of logs) {
    const key = hourKey(log)
    const name = key.join('\n')
    const row = rows.get(name) ?? [...key, 0, 0, 0, 0]
    row[6] += 1
    row[7] += log.quota
    row[8] += log.prompt_tokens
    row[9] += log.completion_tokens
    rows.set(name, row)
  }
  if (rows.size < 2) return [...rows.values()]
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

type HourKey = [user: number, hour: number, username: string, token: string, model: string, channel: number]

function hourKey({ user_id, created_at, username, token_name, model_name, channel }: CallLog): HourKey {
  return [user_id, created_at - (created_at % 3600), username, token_name, model_name, channel]
}
