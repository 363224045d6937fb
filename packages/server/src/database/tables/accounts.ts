import type { Generated } from 'kysely'
import type { Flag } from '../flag.ts'

export interface UserRow {
  id: Generated<number>
  username: string
  /** The normalised username; null when an older account has the same. */
  name_key: string | null
  password: string
  password_default: Flag
  display_name: string
  role: number
  status: number
  email: string | null
  github_id: string | null
  wechat_id: string | null
  lark_id: string | null
  access_token_hash: string | null
  /** Incremented to end every session of the user. */
  auth_version: Generated<number>
  external_login: Generated<Flag>
  group: string
  quota: Generated<number>
  held: Generated<number>
  /** How far the available balance is legitimately below zero. */
  overrun: Generated<number>
  used_quota: Generated<number>
  request_count: Generated<number>
  aff_code: string
  inviter_id: number | null
  created_time: number
  /** JSON; empty without any. */
  rate_limits: Generated<string>
}

export interface SessionRow {
  id_hash: string
  user_id: number
  auth_version: number
  created_at: number
  seen_at: number
  ip: string
  user_agent: string
}

export interface MailCodeRow {
  purpose: string
  email: string
  code_hash: string
  tries: number
  created_at: number
  expires_at: number
}

export interface OauthStateRow {
  state_hash: string
  browser_hash: string
  user_id: number | null
  /** Null when an older console did not send it. */
  provider: string | null
  expires_at: number
}
