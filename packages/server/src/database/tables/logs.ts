import type { Outcome } from '@tollgate/contract'
import type { Generated } from 'kysely'
import type { Flag } from '../flag.ts'

export interface LogRow {
  id: Generated<number>
  user_id: number
  created_at: number
  type: number
  channel: number
  username: string
  token_name: string
  model_name: string
  prompt_tokens: number
  completion_tokens: number
  quota: number
  content: string
  /** The same sentence in English. */
  content_en: string
  request_id: Generated<string>
  /** Milliseconds. */
  elapsed_time: Generated<number>
  first_byte_time: Generated<number>
  is_stream: Generated<Flag>
  /** JSON: usage buckets, price, attempts. */
  detail: Generated<string>
  /** An agent's conversation, by the id the agent sends. */
  session: Generated<string | null>
  /** How a call ended; empty for other entries. */
  outcome: Generated<Outcome | ''>
}

/** An hour in which the log has entries with that value. */
export interface LogSpanRow {
  dimension: 'model_name' | 'token_name' | 'channel'
  value: string
  start: number
}

/** A user with log entries under that name. */
export interface LogUserRow {
  username: string
  user_id: number
}
