import type { BudgetClaim, CallLog } from './books.ts'

/** What was spent of a budget before and after a charge. */
export interface BudgetChange {
  id: number
  from: number
  to: number
  limit: number
}

/** Whose quota a hold takes. */
export interface Payer {
  userId: number
  tokenId: number
}

/** A later command for a hold. Whoever knows its payer says so: otherwise the store has to read the hold first. */
interface OfHold {
  id: string
  payer?: Payer | undefined
}

/** Holds quota before the first upstream byte. */
export interface HoldCommand extends Payer {
  type: 'hold'
  id: string
  epoch: string
  amount: number
  price: string
  now: number
  budgets?: readonly BudgetClaim[] | undefined
}

/** Enlarges the hold of a running call. */
export interface ExtendCommand extends OfHold {
  type: 'extend'
  to: number
  now: number
  /** For a call that moves to another channel: its new budgets. */
  budgets?: readonly BudgetClaim[] | undefined
}

/** The usage of a running stream so far; charged if its process dies. */
export interface ProgressCommand extends OfHold {
  type: 'progress'
  used: number
}

/** Ends a hold: charges the actual cost and releases the rest. A failed call settles at 0. */
export interface SettleCommand extends OfHold {
  type: 'settle'
  /** The budgets of the hold, in case the hold itself is lost. */
  budgets?: readonly BudgetClaim[] | undefined
  actual: number
  /** False for a failed call: it does not count as a request. */
  done: boolean
  channelId: number | null
  /** The pool key that was used; absent without a pool. */
  channelKeyId?: number | undefined
  log: CallLog | undefined
  /** Further rows when one charge covers several models; their amounts are part of `actual`. */
  moreLogs?: readonly CallLog[] | undefined
  /** Whether the log row is kept; the figures count the call either way. */
  keepLog: boolean
  now: number
}

/** Ends a hold of a dead process: the usage of its stream so far is charged. */
export interface SweepCommand {
  type: 'sweep'
  id: string
  /** The log row of the call, if it costs something. */
  log: CallLog | undefined
  now: number
}

export type Command = HoldCommand | ExtendCommand | ProgressCommand | SettleCommand | SweepCommand

/** `epoch`: the process was declared dead and needs a new epoch before its next hold. */
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

/** The settlements whose holds were not found: they were settled before, or never created. */
export const withoutHold = (commands: readonly Command[], found: ReadonlyMap<string, unknown>) =>
  commands.flatMap(({ type, id }) => (type === 'settle' && !found.has(id) ? id : []))

/** The rows that a command needs, as far as it says so. */
export const needsOf = (command: Command) => ({
  holdId: command.id,
  payer: payerOf(command),
  epoch: command.type === 'hold' ? command.epoch : undefined,
})

function payerOf(command: Command): Payer | undefined {
  if (command.type === 'hold') return command
  return command.type === 'sweep' ? undefined : command.payer
}
