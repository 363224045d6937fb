import type { CallLog } from './books.ts'

/**
 * A budget that a call counts against: in its `slot`, together with everything in the slots from `from` to `until`. A
 * budget by the calendar has one slot a period; a rolling one has many small ones.
 */
export interface BudgetClaim {
  id: number
  slot: number
  from: number
  until: number
}

/** What was spent of a budget before and after a charge. */
export interface BudgetChange {
  id: number
  from: number
  to: number
  limit: number
}

/** Sets quota aside before the first upstream byte. */
export interface HoldCommand {
  type: 'hold'
  id: string
  epoch: string
  userId: number
  tokenId: number
  amount: number
  price: string
  now: number
  budgets?: readonly BudgetClaim[] | undefined
}

/** Makes a hold larger, while its call runs. */
export interface ExtendCommand {
  type: 'extend'
  id: string
  to: number
  now: number
  /** Where the call goes to another channel: the budgets that it counts against from now on. */
  budgets?: readonly BudgetClaim[] | undefined
}

/** What a running stream has used so far; charged if its process dies. */
export interface ProgressCommand {
  type: 'progress'
  id: string
  used: number
}

/** Ends a hold: charges what the call really cost and gives the rest back. A failed call settles at 0. */
export interface SettleCommand {
  type: 'settle'
  id: string
  actual: number
  /** False for a call that failed: it counts as no request. */
  done: boolean
  channelId: number | null
  /** The key of the channel's pool that was used; absent where it has none. */
  channelKeyId?: number | undefined
  log: CallLog | undefined
  /** Further rows, where one charge is for several models; what they say is part of `actual`. */
  moreLogs?: readonly CallLog[] | undefined
  /** Whether the log row itself is kept; the figures count the call either way. */
  keepLog: boolean
  now: number
}

/** Ends a hold of a process that died: what its stream had used is charged. */
export interface SweepCommand {
  type: 'sweep'
  id: string
  /** The log row of the call, if it turns out to cost something. */
  log: CallLog | undefined
  now: number
}

export type Command = HoldCommand | ExtendCommand | ProgressCommand | SettleCommand | SweepCommand

/** `epoch`: the process was declared dead and has to begin anew before it makes another hold. */
export type Refusal = 'user' | 'token' | 'disabled' | 'conflict' | 'missing' | 'epoch' | 'budget'

export type Result =
  | { ok: true; type: 'held'; fresh: boolean }
  | {
      ok: true
      type: 'settled'
      charged: number
      balance: { from: number; to: number } | undefined
      budgets?: BudgetChange[] | undefined
    }
  | { ok: true; type: 'noted' }
  | { ok: false; refusal: Exclude<Refusal, 'budget'> }
  | { ok: false; refusal: 'budget'; budget: number }

/** Which rows a command needs before it can be judged. */
export const needsOf = (command: Command) =>
  command.type === 'hold'
    ? { holdId: command.id, userId: command.userId, tokenId: command.tokenId, epoch: command.epoch }
    : { holdId: command.id, userId: undefined, tokenId: undefined, epoch: undefined }
