import type { Generated } from 'kysely'
import type { Flag } from '../flag.ts'

export interface TokenRow {
  id: Generated<number>
  user_id: number
  name: string
  key_hash: string
  key_sealed: string
  status: number
  created_time: number
  accessed_time: number
  expired_time: number
  remain_quota: Generated<number>
  held: Generated<number>
  used_quota: Generated<number>
  unlimited_quota: Generated<Flag>
  models: string
  subnet: string
  /** JSON; empty without any. */
  rate_limits: Generated<string>
  /** The same, set by an administrator. */
  admin_rate_limits: Generated<string>
  /** Whether a fallback model may answer when the requested one cannot. */
  fallback: Generated<Flag>
  /** Recording settings as JSON; empty for none. */
  recording: Generated<string>
  /** What an administrator asks the owner to agree to, as JSON; empty for nothing. */
  recording_request: Generated<string>
  /** The administrator who disabled it; 0 for none. */
  blocked_by: Generated<number>
  blocked_reason: Generated<string>
  /** A deleted token keeps its row, because the ledger refers to it. */
  deleted_at: number | null
}

export interface KeyAddressRow {
  token_id: number
  address: string
  first_at: number
  last_at: number
}

/** What a caller sent and received, compressed and encrypted. */
export interface RecordingRow {
  request_id: string
  user_id: number
  token_id: number
  created_at: number
  expires_at: number
  operation: string
  status: number
  is_stream: Flag
  request_sealed: string
  /** The size of the whole body in bytes. */
  request_size: number
  request_cut: Flag
  response_sealed: string
  response_size: number
  response_cut: Flag
}

export interface BudgetRow {
  id: Generated<number>
  scope: string
  /** An id, or the name of a group. */
  target: string
  /** Empty for all models. */
  model: string
  quota: number
  period: string
  rolling: Flag
  zone: string
  raise_quota: number
  raise_until: number
  /** Set by an administrator: the owner of the key cannot change it. */
  managed: Flag
  created_time: number
  /** Grows with every change. */
  changed: number
}

export interface BudgetUsageRow {
  budget_id: number
  slot: number
  used: number
  held: number
}

export interface RedemptionRow {
  id: Generated<number>
  user_id: number
  name: string
  key_hash: string
  key_sealed: string
  status: number
  quota: number
  created_time: number
  redeemed_time: number
  used_user_id: number | null
}
