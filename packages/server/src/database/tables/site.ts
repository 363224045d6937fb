import type { Generated } from 'kysely'

export interface MetaRow {
  key: string
  value: string
}

export interface OptionRow {
  key: string
  value: string
}

export interface AuditEventRow {
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

export interface IdempotencyKeyRow {
  id: string
  fingerprint: string
  answer: string | null
  running_until: number
  created_at: number
}
