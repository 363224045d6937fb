import type { Generated } from 'kysely'
import type { Flag } from '../flag.ts'

export interface OwnerRow {
  epoch: string
  node: string
  started_at: number
  closed_at: number | null
  /** When other nodes found that the process had died. */
  lost_at: Generated<number | null>
}

export interface HoldRow {
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

export interface LedgerRow {
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
