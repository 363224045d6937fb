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
  /** The slice that the amount is taken from. */
  slice?: string
}

/**
 * Borrows a part of a balance for one process, which holds calls in it without further rows. The slice is set to what its calls need,
 * `keep`, and as much of `want` as a small share of the balance allows; nothing of either gives it back.
 */
export interface SliceCommand extends Payer {
  type: 'slice'
  id: string
  epoch: string
  keep: number
  want: number
  now: number
}

/** Enlarges the hold of a running call. */
export interface ExtendCommand extends OfHold {
  type: 'extend'
  to: number
  now: number
  /** For a call that moves to another channel: its new budgets. */
  budgets?: readonly BudgetClaim[] | undefined
  /** The call ends if it is refused: what other processes have borrowed is waited for. */
  isLast?: boolean | undefined
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
  /** The call was held in a slice, and has no row of its own. Submitted again, it may have been written before. */
  inSlice?: 'once' | 'again' | undefined
}

/** Ends a hold of a dead process: the usage of its stream so far is charged. */
export interface SweepCommand {
  type: 'sweep'
  id: string
  /** The log row of the call, if it costs something. */
  log: CallLog | undefined
  now: number
}

export type Command = HoldCommand | ExtendCommand | ProgressCommand | SettleCommand | SweepCommand | SliceCommand

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
  | { ok: true; type: 'sliced'; amount: number }
  | { ok: false; refusal: Exclude<Refusal, 'budget'> }
  | { ok: false; refusal: 'budget'; budget: number }

/** The settlements whose holds were not found: they were settled before, or never created. */
export const withoutHold = (commands: readonly Command[], found: ReadonlyMap<string, unknown>) =>
  commands.filter((command) => command.type === 'settle' && !found.has(command.id) && !isNew(command))

/** The first settlement of a call that has no row: there is nothing to be found. */
const isNew = (command: Command) => command.type === 'settle' && command.inSlice === 'once'

/** The log row of a failed call of a slice: nothing else tells that it was settled. */
export const freeInSlice = (command: Command): CallLog[] =>
  command.type === 'settle' && command.inSlice !== undefined && !command.done && command.actual === 0 && command.log
    ? [command.log]
    : []

/** As it is run when it may have been run before. */
export const repeated = (command: Command): Command =>
  command.type === 'settle' && isNew(command) ? { ...command, inSlice: 'again' } : command

/** The rows that a command needs, as far as it says so. */
export const needsOf = (command: Command) => ({
  holdId: isNew(command) ? undefined : command.id,
  sliceId: command.type === 'hold' ? command.slice : undefined,
  payer: payerOf(command),
  epoch: command.type === 'hold' || command.type === 'slice' ? command.epoch : undefined,
})

function payerOf(command: Command): Payer | undefined {
  if (command.type === 'hold' || command.type === 'slice') return command
  return command.type === 'sweep' ? undefined : command.payer
}
