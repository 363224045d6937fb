import type { Generated } from 'kysely'

export interface ChannelRow {
  id: Generated<number>
  type: number
  name: string
  key_sealed: string
  key_hint: string
  base_url: string
  other: string
  config: string
  secrets_sealed: string
  models: string
  group: string
  model_mapping: string
  system_prompt: string
  test_model: string
  status: number
  status_reason: string
  /** The same in English. */
  status_reason_en: Generated<string>
  priority: number
  weight: number
  created_time: number
  test_time: Generated<number>
  response_time: Generated<number>
  /** Why the last test failed; empty when it passed or there was none. */
  test_error: Generated<string>
  /** The same in English. */
  test_error_en: Generated<string>
  balance: Generated<number>
  balance_updated_time: Generated<number>
  used_quota: Generated<number>
  /** Grows with every change that affects routing. */
  changed: Generated<number>
  tag: Generated<string>
  /** The size of the key pool; 0 when the channel has a single key. */
  key_count: Generated<number>
  key_order: Generated<string>
}

export interface ChannelKeyRow {
  id: Generated<number>
  channel_id: number
  key_hash: string
  key_sealed: string
  key_hint: string
  status: number
  /** The vendor's message when the key was set aside; empty otherwise. */
  status_reason: Generated<string>
  /** JSON; empty without any. */
  rate_limits: Generated<string>
  /** Milliseconds. */
  cooldown_until: Generated<number>
  cooldowns: Generated<string>
  last_error: Generated<string>
  last_error_time: Generated<number>
  test_time: Generated<number>
  response_time: Generated<number>
  used_quota: Generated<number>
  calls: Generated<number>
  accessed_time: Generated<number>
  created_time: number
}

export interface ModelListRow {
  channel_id: number
  /** Where the list was read; another place means another provider. */
  place: string
  looked_at: number
  /** 0: it could never be read. */
  listed_at: number
  /** JSON, as are the next four. */
  listed: string
  added: string
  /** By the provider's names. */
  missing: string
  kept: string
  doubted: string
  /** The last error; empty when the list was read. */
  error: string
  error_en: string
}
