import type { Outcome } from '@tollgate/contract'

/*
 * The rows that a batch of commands works on, in memory. A store loads them before and writes the changes after; it may keep
 * rows from one batch to the next.
 */

export interface UserAccount {
  id: number
  status: number
  quota: number
  held: number
  /** How far the available balance is legitimately below zero. */
  overrun: number
  used_quota: number
  request_count: number
}

export interface TokenAccount {
  id: number
  user_id: number
  status: number
  remain_quota: number
  held: number
  used_quota: number
  unlimited_quota: number
  expired_time: number
  accessed_time: number
  deleted: number
}

/**
 * 0 open, 1 settled, 3 swept after its process died, 4 corrected because the process had not died after all. A settled hold is
 * removed with its charge: the ledger row says what it cost.
 */
export const HoldState = { open: 0, settled: 1, swept: 3, corrected: 4 } as const

/**
 * The epoch of holds that outlive their process, because the vendor works for hours: no process owns it, so it is never swept.
 * The creator of such a hold keeps a row that says what it is for, and settles it by its id.
 */
export const LASTING = 'lasting'

/**
 * A budget that a call counts against: in its `slot`, together with everything in the slots from `from` to `until`. A calendar
 * budget has one slot per period; a rolling one has many small ones.
 */
export interface BudgetClaim {
  id: number
  slot: number
  from: number
  until: number
}

export interface Hold {
  id: string
  epoch: string
  user_id: number
  token_id: number
  channel_id: number | null
  amount: number
  /** Whether the token was limited when the hold was created. */
  limited: number
  progress: number
  state: number
  actual: number | null
  price: string
  created_at: number
  closed_at: number | null
  /** The budgets that the call counts against. */
  budgets: readonly BudgetClaim[]
}

export const isSettled = ({ state }: Hold) => state === HoldState.settled

export interface BudgetAccount {
  id: number
  quota: number
  /** A temporary raise of the limit. */
  raise_quota: number
  raise_until: number
  /** The slots that were read: all that exist from the one to the other. */
  from: number
  until: number
  slots: Map<number, BudgetSlot>
}

/** What calls have spent and held in one slot of a budget's calendar. */
export interface BudgetSlot {
  budget_id: number
  slot: number
  used: number
  held: number
}

export interface Entry {
  ts: number
  kind: 'consume' | 'late'
  ref: string
  user_id: number
  token_id: number
  channel_id: number | null
  delta: number
  balance: number
}

/** The log row of a call. */
export interface CallLog {
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
  content_en: string
  request_id: string
  elapsed_time: number
  first_byte_time: number
  is_stream: number
  detail: string
  session: string | null
  outcome: Outcome
  /** For the figures only; the row has them in its detail. */
  cached_tokens: number
  cache_write_tokens: number
  reasoning_tokens: number
}

export interface Books {
  users: Map<number, UserAccount>
  tokens: Map<number, TokenAccount>
  holds: Map<string, Hold>
  /** What was charged for holds that the batch settles and that no longer exist. */
  charged: Map<string, number>
  /** The existing budgets that the batch counts against. */
  budgets: Map<number, BudgetAccount>
  /** The epochs of new holds whose processes are not declared dead. */
  living: Set<string>
  /** Rows added by the batch. */
  entries: Entry[]
  logs: CallLog[]
  /**
   * What is added to the figures: an `answered` call, a `failed` one of which only the outcome is counted, or the `rest` of one
   * that was counted before.
   */
  counted: { log: CallLog; as: 'answered' | 'failed' | 'rest' }[]
  channelUsed: Map<number, number>
  /** By the keys of channels with a pool. */
  channelKeyUsed: Map<number, { used: number; calls: number; at: number }>
  changed: {
    users: Set<number>
    tokens: Set<number>
    holds: Set<string>
    newHolds: Set<string>
    /** Holds whose budget claims changed. */
    claims: Set<string>
    budgets: Set<BudgetSlot>
  }
}

export const emptyBooks = (): Books => ({
  users: new Map(),
  tokens: new Map(),
  holds: new Map(),
  charged: new Map(),
  budgets: new Map(),
  living: new Set(),
  entries: [],
  logs: [],
  counted: [],
  channelUsed: new Map(),
  channelKeyUsed: new Map(),
  changed: {
    users: new Set(),
    tokens: new Set(),
    holds: new Set(),
    newHolds: new Set(),
    claims: new Set(),
    budgets: new Set(),
  },
})
