import type { AlertDeliveryState, Outcome } from '@tollgate/contract'
import type { Generated } from 'kysely'

/*
 * The rows as stored. Times are unix seconds. Booleans are 0 or 1, because SQLite has no boolean type. `*_sealed` is
 * ciphertext, `*_hash` a SHA-256 in hex.
 */

export interface Schema {
  meta: MetaRow
  users: UserRow
  sessions: SessionRow
  tokens: TokenRow
  channels: ChannelRow
  channel_keys: ChannelKeyRow
  model_lists: ModelListRow
  redemptions: RedemptionRow
  options: OptionRow
  logs: LogRow
  log_spans: LogSpanRow
  log_users: LogUserRow
  usage_hours: UsageHourRow
  usage_models: UsageModelRow
  usage_days: UsageDayRow
  site_usage: SiteUsageRow
  token_usage: TokenUsageRow
  key_usage: KeyUsageRow
  key_addresses: KeyAddressRow
  recordings: RecordingRow
  latency_days: LatencyDayRow
  owners: OwnerRow
  holds: HoldRow
  ledger: LedgerRow
  files: FileRow
  batches: BatchRow
  mail_codes: MailCodeRow
  oauth_states: OauthStateRow
  audit_events: AuditEventRow
  idempotency_keys: IdempotencyKeyRow
  budgets: BudgetRow
  budget_usage: BudgetUsageRow
  alert_rules: AlertRuleRow
  alert_states: AlertStateRow
  alert_destinations: AlertDestinationRow
  alert_deliveries: AlertDeliveryRow
}

export type Flag = 0 | 1

interface MetaRow {
  key: string
  value: string
}

interface UserRow {
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

interface SessionRow {
  id_hash: string
  user_id: number
  auth_version: number
  created_at: number
  seen_at: number
  ip: string
  user_agent: string
}

interface TokenRow {
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
  /** Whether a fallback model may answer when the requested one cannot. */
  fallback: Generated<Flag>
  /** Recording settings as JSON; empty for none. */
  recording: Generated<string>
  /** The administrator who disabled it; 0 for none. */
  blocked_by: Generated<number>
  blocked_reason: Generated<string>
  /** A deleted token keeps its row, because the ledger refers to it. */
  deleted_at: number | null
}

interface ChannelRow {
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

interface ChannelKeyRow {
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
  last_error: Generated<string>
  last_error_time: Generated<number>
  test_time: Generated<number>
  response_time: Generated<number>
  used_quota: Generated<number>
  calls: Generated<number>
  accessed_time: Generated<number>
  created_time: number
}

interface ModelListRow {
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

interface RedemptionRow {
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

interface OptionRow {
  key: string
  value: string
}

interface LogRow {
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

interface Figures {
  request_count: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
}

/** Here `request_count` counts the calls that were answered and charged. */
interface AllFigures extends Figures {
  /** Calls that no channel answered. */
  failed_count: Generated<number>
  /** Calls by outcome. The others succeeded. */
  client_error_count: Generated<number>
  access_count: Generated<number>
  rate_limited_count: Generated<number>
  upstream_error_count: Generated<number>
  timeout_count: Generated<number>
  canceled_count: Generated<number>
  cached_tokens: Generated<number>
  cache_write_tokens: Generated<number>
  reasoning_tokens: Generated<number>
}

/** An hour in which the log has entries with that value. */
interface LogSpanRow {
  dimension: 'model_name' | 'token_name' | 'channel'
  value: string
  start: number
}

/** A user with log entries under that name. */
interface LogUserRow {
  username: string
  user_id: number
}

interface UsageHourRow extends AllFigures {
  user_id: number
  /** Start of the hour, unix seconds. */
  hour: number
  username: string
  token_name: string
  model_name: string
  channel: number
}

interface UsageModelRow extends Figures {
  user_id: number
  hour: number
  model_name: string
}

interface UsageDayRow extends AllFigures {
  user_id: number
  /** Start of the day in UTC, unix seconds. */
  day: number
  username: string
  token_name: string
  model_name: string
  channel: number
}

interface SiteUsageRow extends AllFigures {
  /** The length of the sum in seconds, 3600 or 86400. */
  span: number
  start: number
  model_name: string
  channel: number
}

interface TokenUsageRow extends Figures {
  token_name: string
  span: number
  start: number
  model_name: string
  channel: number
}

interface KeyUsageRow extends AllFigures {
  span: number
  start: number
  user_id: number
  token_name: string
  username: string
}

interface KeyAddressRow {
  token_id: number
  address: string
  first_at: number
  last_at: number
}

/** What a caller sent and received, compressed and encrypted. */
interface RecordingRow {
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

interface LatencyDayRow {
  /** The key of its rows: `all`, `model`, `channel`, `both`, or `user`. Unused columns are '' or 0. */
  dimension: string
  user_id: number
  /** Start of the day in UTC, unix seconds. */
  day: number
  model_name: string
  channel: number
  /** Packed histograms: of the day, and by hour. */
  whole: string
  hours: string
}

interface OwnerRow {
  epoch: string
  node: string
  started_at: number
  closed_at: number | null
  /** When other nodes found that the process had died. */
  lost_at: Generated<number | null>
}

interface HoldRow {
  id: string
  epoch: string
  user_id: number
  token_id: number
  channel_id: number | null
  amount: number
  limited: Flag
  progress: Generated<number>
  state: Generated<number>
  actual: number | null
  price: string
  created_at: number
  closed_at: number | null
  /** The budgets that the call counts against, as JSON; empty for none. */
  budgets: Generated<string>
}

interface FileRow {
  id: string
  user_id: number
  token_id: number
  channel_id: number
  channel_key_id: number | null
  upstream_id: string
  purpose: string
  filename: string
  bytes: number
  /** What the lines of a file for a batch ask for, as JSON; empty for others. */
  plan: string
  created_at: number
}

interface BatchRow {
  /** Also of its hold. */
  id: string
  kind: string
  user_id: number
  token_id: number
  channel_id: number
  channel_key_id: number | null
  upstream_id: string
  input_file_id: string
  output_file_id: string
  error_file_id: string
  status: string
  plan: string
  amount: number
  /** What the vendor said of it last, as JSON. */
  body: string
  created_at: number
  settled_at: number | null
}

interface LedgerRow {
  id: Generated<number>
  ts: number
  kind: string
  ref: string
  user_id: number
  token_id: number | null
  channel_id: number | null
  actor_id: number | null
  delta: number
  balance: number
  /** For a checkpoint: how many calls it replaces. */
  calls: Generated<number>
}

interface MailCodeRow {
  purpose: string
  email: string
  code_hash: string
  tries: number
  created_at: number
  expires_at: number
}

interface OauthStateRow {
  state_hash: string
  browser_hash: string
  user_id: number | null
  /** Null when an older console did not send it. */
  provider: string | null
  expires_at: number
}

interface AuditEventRow {
  id: Generated<number>
  created_at: number
  actor_id: number
  actor_name: string
  action: string
  target: string
  before: string | null
  after: string | null
  ip: string
}

interface IdempotencyKeyRow {
  id: string
  fingerprint: string
  answer: string | null
  running_until: number
  created_at: number
}

interface BudgetRow {
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

interface BudgetUsageRow {
  budget_id: number
  slot: number
  used: number
  held: number
}

interface AlertRuleRow {
  id: Generated<number>
  /** 0 for the gateway. */
  owner_id: number
  kind: string
  threshold: number
  minimum: number
  quiet_minutes: number
  enabled: Flag
  /** JSON: ids. */
  destinations: string
  created_time: number
}

interface AlertStateRow {
  rule_id: number
  subject: string
  firing: Flag
  since: number
  /** When a message last reported it; 0 for never. */
  told_at: number
  /** Whether it was reported since it started. */
  is_told: Flag
  /** JSON: the title in both languages. */
  title: string
}

interface AlertDestinationRow {
  id: Generated<number>
  /** 0 for the gateway. */
  owner_id: number
  way: string
  name: string
  /** JSON: address and secret. */
  target_sealed: string
  address_hint: string
  has_secret: Flag
  private_allowed: Flag
  language: string
  zone: string
  created_time: number
}

interface AlertDeliveryRow {
  id: Generated<number>
  owner_id: number
  /** 0 for a test. */
  rule_id: number
  destination_id: number
  kind: string
  title: string
  way: string
  destination_name: string
  /** JSON: what is sent. */
  message: string
  state: AlertDeliveryState
  attempts: number
  created_time: number
  tried_at: number
  next_at: number
  error: string
}
