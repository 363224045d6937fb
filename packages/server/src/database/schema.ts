import type { MailCodeRow, OauthStateRow, SessionRow, UserRow } from './tables/accounts.ts'
import type { AlertDeliveryRow, AlertDestinationRow, AlertRuleRow, AlertStateRow } from './tables/alerts.ts'
import type { BatchRow, FileRow } from './tables/batches.ts'
import type { ChannelKeyRow, ChannelRow, ModelListRow } from './tables/channels.ts'
import type { HoldRow, LedgerRow, OwnerRow } from './tables/ledger.ts'
import type { LogRow, LogSpanRow, LogUserRow } from './tables/logs.ts'
import type { AuditEventRow, IdempotencyKeyRow, MetaRow, OptionRow } from './tables/site.ts'
import type {
  BudgetRow,
  BudgetUsageRow,
  KeyAddressRow,
  RecordingRow,
  RedemptionRow,
  TokenRow,
} from './tables/tokens.ts'
import type {
  FigureKeyRow,
  FigurePackRow,
  KeyUsageRow,
  LatencyDayRow,
  PackedDaysRow,
  SavedFailureRow,
  SiteUsageRow,
  TokenUsageRow,
  TotalUsageRow,
  UsageDayRow,
  UsageHourRow,
  UsageModelRow,
} from './tables/usage.ts'

/**
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
  pending_usage: UsageHourRow
  usage_hours: UsageHourRow
  usage_models: UsageModelRow
  usage_days: UsageDayRow
  total_usage: TotalUsageRow
  site_usage: SiteUsageRow
  token_usage: TokenUsageRow
  key_usage: KeyUsageRow
  key_addresses: KeyAddressRow
  recordings: RecordingRow
  latency_days: LatencyDayRow
  figure_packs: FigurePackRow
  packed_days: PackedDaysRow
  figure_keys: FigureKeyRow
  saved_failures: SavedFailureRow
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
