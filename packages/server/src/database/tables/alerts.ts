import type { AlertDeliveryState } from '@tollgate/contract'
import type { Generated } from 'kysely'
import type { Flag } from '../flag.ts'

export interface AlertRuleRow {
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

export interface AlertStateRow {
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

export interface AlertDestinationRow {
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

export interface AlertDeliveryRow {
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
