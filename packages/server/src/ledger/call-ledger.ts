import type { Text } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import { createSharedTimer } from '../common/shared-timer.ts'
import type { CallLog } from './books.ts'
import type { BudgetChange, BudgetClaim, HoldCommand, Refusal, Result, SettleCommand } from './commands.ts'
import { crashPoint } from './stores/crash-points.ts'
import type { Journal } from './stores/journal.ts'
import type { Epochs } from './stores/owner.ts'
import { LedgerBusy, LedgerSilent, type LedgerWriter } from './stores/writer.ts'

/** Quota set aside for one call. It has to be settled, whatever becomes of the call. */
export interface OpenHold {
  readonly id: string
  amount(): number
  /**
   * False when the balance, or a budget, does not allow it. A call that goes to another channel names what it counts
   * against from now on.
   */
  extend(to: number, budgets?: readonly BudgetClaim[]): Promise<boolean>
  /** What the call has used so far; charged if this process dies. Resolves when it is written, or could not be. */
  progress(used: number): Promise<void>
  /**
   * Tries until it is written, however long the database is away, and answers when it is durable: in the database, or
   * where that takes too long in the journal. Throws `HoldMissing` when that is hopeless.
   */
  settle(end: Settlement): Promise<Settled>
}

export interface Settlement {
  actual: number
  /** False for a call that failed. */
  done: boolean
  channelId: number | null
  channelKeyId?: number | undefined
  log: CallLog
  /** Further rows, where one charge is for several models; what they say is part of `actual`. */
  moreLogs?: readonly CallLog[] | undefined
  keepLog: boolean
}

export interface Settled {
  charged: number
  balance: { from: number; to: number } | undefined
  budgets?: readonly BudgetChange[] | undefined
}

/** The call would cost more than this budget has left. */
export class BudgetSpent extends Error {
  constructor(readonly budget: number) {
    super(`The budget ${budget} is spent`)
  }
}

/** To try again would not help: the books were replaced under a running call. */
export class HoldMissing extends Error {}

export interface CallLedger {
  /** Throws `BudgetSpent` where a budget does not allow it. */
  hold(
    payer: { userId: number; tokenId: number },
    id: string,
    amount: number,
    price: string,
    budgets?: readonly BudgetClaim[],
  ): Promise<OpenHold>
  /** The same for work that goes on when this process has ended: it stays until somebody settles it by its id. */
  holdLasting: CallLedger['hold']
  /** A lasting hold that was made earlier, perhaps by another process. */
  lasting(id: string, amount: number): Pick<OpenHold, 'settle'>
}

interface Needs {
  writer: LedgerWriter
  epochs: Epochs
  journal: Journal
  clock: Clock
  log: Log
  /** An amount of quota as people read it. */
  amountText(quota: number): Text
}

/** The ledger as a call sees it: hold before the first byte goes up, settle before the last byte goes down. */
export const createCallLedger = (needs: Needs): CallLedger => {
  const { writer, epochs, clock, amountText } = needs
  const submit = async (command: HoldCommand): Promise<Result> => {
    const result = await writer.submit(command)
    if (result.ok || result.refusal !== 'epoch') return result
    // We were taken for dead; under a new epoch we may go on.
    await epochs.renew(command.epoch)
    return writer.submit({ ...command, epoch: epochs.current() })
  }

  const holdUnder = async (epoch: string, ...[{ userId, tokenId }, id, amount, price, budgets]: HoldArguments) => {
    const now = seconds(clock)
    crashPoint('before-hold')
    const command: HoldCommand = { type: 'hold', id, epoch, userId, tokenId, amount, price, now, budgets }
    const result = await submit(command).catch((error) => {
      if (!(error instanceof LedgerBusy || error instanceof LedgerSilent)) void giveBack(writer, id, now)
      return unavailable(error)
    })
    if (!result.ok && result.refusal === 'budget') throw new BudgetSpent(result.budget)
    if (!result.ok) throw new GatewayError(REFUSALS[result.refusal], { needed: amountText(amount) })
    crashPoint('after-hold')
    return new HoldOfCall(needs, id, amount)
  }

  return {
    hold: (...asked) => holdUnder(epochs.current(), ...asked),
    holdLasting: async (...asked) => holdUnder(await epochs.lasting(), ...asked),
    lasting: (id, amount) => new HoldOfCall(needs, id, amount),
  }
}

type HoldArguments = Parameters<CallLedger['hold']>

const RETRY_MS = 500

async function untilDone(writer: LedgerWriter, command: SettleCommand): Promise<Result> {
  for (;;) {
    try {
      return await writer.submit(command)
    } catch {
      // The writer has logged why.
      await Bun.sleep(RETRY_MS)
    }
  }
}

const GIVE_BACK_EVERY_MS = 1000
const GIVE_BACK_TRIES = 120

/** The hold failed with the database, which may have kept it all the same: it must not stay open while we live. */
async function giveBack(writer: LedgerWriter, id: string, now: number) {
  const nothing = { actual: 0, done: false, channelId: null, log: undefined, keepLog: false }
  for (let tries = 0; tries < GIVE_BACK_TRIES; tries++) {
    await Bun.sleep(GIVE_BACK_EVERY_MS)
    const result = await writer.submit({ type: 'settle', id, ...nothing, now }).catch(() => undefined)
    if (result !== undefined) return
  }
}

/** A class and not closures: every call has one, for as long as it runs. */
class HoldOfCall implements OpenHold {
  constructor(
    private readonly needs: Needs,
    readonly id: string,
    private held: number,
  ) {}

  amount() {
    return this.held
  }

  async extend(to: number, budgets?: readonly BudgetClaim[]) {
    if (to <= this.held && budgets === undefined) return true
    const now = seconds(this.needs.clock)
    const result = await this.needs.writer.submit({ type: 'extend', id: this.id, to, now, budgets })
    // No longer open: we were taken for dead and swept. The settlement will correct that; the call goes on.
    if (!result.ok && result.refusal !== 'missing') return false
    this.held = Math.max(to, this.held)
    return true
  }

  async progress(used: number) {
    // If it is lost, the next one or the settlement says the same.
    await this.needs.writer.submit({ type: 'progress', id: this.id, used }).catch(() => {})
  }

  async settle(settlement: Settlement) {
    crashPoint('before-settle')
    const { id, needs } = this
    const end = { type: 'settle' as const, id, ...settlement, now: seconds(needs.clock) }
    const written = untilDone(needs.writer, end)
    const result = (await Promise.race([written, late()])) ?? (await keptInJournal(needs, end, written))
    if (!result.ok || result.type !== 'settled') throw new HoldMissing(`There is no hold ${id} to settle`)
    crashPoint('after-settle')
    return { charged: result.charged, balance: result.balance, budgets: result.budgets }
  }
}

/** If the books cannot be reached at the end of a call, its answer is not held back for ever. */
const late = createSharedTimer(2000)

/** Where the disk fails too, the database is waited for: nothing is told that nobody would remember. */
async function keptInJournal({ journal, log }: Needs, end: SettleCommand, written: Promise<Result>): Promise<Result> {
  const promised: Result = { ok: true, type: 'settled', charged: end.actual, balance: undefined }
  // Of a call that failed there is nothing to remember: whoever finds its hold gives it back.
  if (!end.done && end.actual === 0) return promised
  try {
    await journal.keep(end)
  } catch (error) {
    log.error('The journal cannot be written; the answer waits for the database', { error })
    return written
  }
  void written.then((result) => {
    if (!result.ok) log.error('A charge could not be written', { id: end.id, refusal: result.refusal })
    journal.done(end.id)
  })
  return promised
}

const REFUSALS = {
  user: 'quota.user',
  token: 'quota.token',
  disabled: 'relay.key_disabled',
  conflict: 'server.internal',
  missing: 'server.internal',
  epoch: 'server.unavailable',
} as const satisfies Record<Exclude<Refusal, 'budget'>, string>

function unavailable(error: unknown): Result {
  throw new GatewayError(error instanceof LedgerBusy ? 'server.busy' : 'server.unavailable', {}, { cause: error })
}
