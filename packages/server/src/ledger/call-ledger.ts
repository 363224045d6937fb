import type { Text } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { createLateness } from '../common/lateness.ts'
import type { Log } from '../common/log.ts'
import type { BudgetClaim, CallLog } from './books.ts'
import type { BudgetChange, HoldCommand, Payer, Refusal, Result, SettleCommand } from './commands.ts'
import { crashPoint } from './stores/crash-points.ts'
import type { Journal } from './stores/journal.ts'
import type { Epochs } from './stores/owner.ts'
import { LedgerBusy, LedgerSilent, type LedgerWriter } from './stores/writer.ts'

/** Quota held for one call. It must be settled, whatever the outcome of the call. */
export interface OpenHold {
  readonly id: string
  amount(): number
  /**
   * False when the balance, or a budget, does not allow it. A call that moves to another channel passes its new budgets; one that would
   * end says so, and waits a few seconds for what other processes have borrowed.
   */
  extend(to: number, how?: { budgets?: readonly BudgetClaim[] | undefined; isLast?: boolean }): Promise<boolean>
  /** The usage so far; charged if this process dies. Resolves when it is written, or could not be. */
  progress(used: number): Promise<void>
  /** The highest usage that `progress` was called with. */
  used(): number
  /**
   * Retries until it is written, however long the database is down, and resolves when it is durable: in the database, or if
   * that takes too long in the journal. Throws `HoldMissing` when that is impossible.
   */
  settle(end: Settlement): Promise<Settled>
}

export interface Settlement {
  actual: number
  /** False for a failed call. */
  done: boolean
  channelId: number | null
  channelKeyId?: number | undefined
  log: CallLog
  /** Further rows when one charge covers several models; their amounts are part of `actual`. */
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

/** A retry would not help: the database was replaced under a running call. */
export class HoldMissing extends Error {}

export interface CallLedger {
  /** Throws `BudgetSpent` when a budget does not allow it. */
  hold(payer: Payer, id: string, amount: number, price: string, budgets?: readonly BudgetClaim[]): Promise<OpenHold>
  /** The same for work that outlives this process: the hold stays until it is settled by its id. */
  holdLasting: CallLedger['hold']
  /** A lasting hold that was created earlier, perhaps by another process. */
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

/** The ledger as a call sees it: hold before the first byte is sent upstream, settle before the last byte is sent to the client. */
export const createCallLedger = (needs: Needs): CallLedger => {
  const { writer, epochs, clock, amountText } = needs
  const submit = async (command: HoldCommand) => {
    const { epoch } = command
    const result = await writer.submit(command)
    if (result.ok || result.refusal !== 'epoch') return { result, epoch }
    // We were declared dead; we may continue under a new epoch.
    await epochs.renew(epoch)
    const current = epochs.current()
    return { result: await writer.submit({ ...command, epoch: current }), epoch: current }
  }

  /** The epoch under which it was created. */
  const holdUnder = async (epoch: string, ...[{ userId, tokenId }, id, amount, price, budgets]: HoldArguments) => {
    const now = seconds(clock)
    crashPoint('before-hold')
    const command: HoldCommand = { type: 'hold', id, epoch, userId, tokenId, amount, price, now, budgets }
    const { result, epoch: heldUnder } = await submit(command).catch((error) => {
      if (!(error instanceof LedgerBusy || error instanceof LedgerSilent)) void giveBack(writer, id, now)
      return unavailable(error)
    })
    if (!result.ok && result.refusal === 'budget') throw new BudgetSpent(result.budget)
    if (!result.ok) throw new GatewayError(REFUSALS[result.refusal], { needed: amountText(amount) })
    crashPoint('after-hold')
    return heldUnder
  }

  return {
    async hold(...asked) {
      const epoch = await holdUnder(epochs.current(), ...asked)
      const [payer, id, amount, , budgets] = asked
      return new HoldOfCall(needs, { id, payer, budgets, epoch }, amount)
    },
    async holdLasting(...asked) {
      await holdUnder(await epochs.lasting(), ...asked)
      const [payer, id, amount, , budgets] = asked
      return new HoldOfCall(needs, { id, payer, budgets }, amount)
    },
    lasting: (id, amount) => new HoldOfCall(needs, { id }, amount),
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

/** The database failed, but may have stored the hold: it must not stay open while we live. */
async function giveBack(writer: LedgerWriter, id: string, now: number) {
  const nothing = { actual: 0, done: false, channelId: null, log: undefined, keepLog: false }
  for (let tries = 0; tries < GIVE_BACK_TRIES; tries++) {
    await Bun.sleep(GIVE_BACK_EVERY_MS)
    const result = await writer.submit({ type: 'settle', id, ...nothing, now }).catch(() => undefined)
    if (result !== undefined) return
  }
}

interface HeldFor {
  id: string
  payer?: Payer
  budgets?: readonly BudgetClaim[] | undefined
  /** Undefined for a lasting hold, which nobody gives back if this process dies. */
  epoch?: string
}

/** A class instead of closures: every call has one for as long as it runs. */
class HoldOfCall implements OpenHold {
  readonly id: string
  private readonly payer: Payer | undefined
  private readonly epoch: string | undefined
  private budgets: readonly BudgetClaim[] | undefined
  private noted = 0
  private isCounted: boolean

  constructor(
    private readonly needs: Needs,
    { id, payer, budgets, epoch }: HeldFor,
    private held: number,
  ) {
    this.id = id
    // The caller may be more than that, and is not to be kept for as long as the call runs.
    this.payer = payer && { userId: payer.userId, tokenId: payer.tokenId }
    this.budgets = budgets
    this.epoch = epoch
    this.isCounted = epoch !== undefined
    if (epoch !== undefined) needs.epochs.opened(epoch)
  }

  amount() {
    return this.held
  }

  async extend(to: number, { budgets, isLast }: Parameters<OpenHold['extend']>[1] = {}) {
    if (to <= this.held && budgets === undefined) return true
    const [{ id, payer }, now] = [this, seconds(this.needs.clock)]
    const result = await this.needs.writer.submit({ type: 'extend', id, payer, to, now, budgets, isLast })
    // No longer open: we were declared dead and swept. The settlement will correct that; the call continues.
    if (!result.ok && result.refusal !== 'missing') return false
    this.held = Math.max(to, this.held)
    this.budgets = budgets ?? this.budgets
    return true
  }

  used() {
    return this.noted
  }

  async progress(used: number) {
    this.noted = Math.max(used, this.noted)
    // If it is lost, the next one or the settlement says the same.
    await this.needs.writer.submit({ type: 'progress', id: this.id, payer: this.payer, used }).catch(() => {})
  }

  async settle(settlement: Settlement) {
    crashPoint('before-settle')
    const { id, payer, budgets, needs, epoch } = this
    // A failed call has nothing to remember: the sweep gives its hold back. A lasting hold is not swept.
    const isForgettable = epoch !== undefined && this.noted === 0 && !settlement.done && settlement.actual === 0
    const end = { type: 'settle' as const, id, payer, budgets, ...settlement, now: seconds(needs.clock) }
    const written = untilDone(needs.writer, end).finally(() => {
      // A second settlement changes nothing, and must not end the hold of another call.
      if (epoch !== undefined && this.isCounted) needs.epochs.ended(epoch)
      this.isCounted = false
    })
    const result = (await isLate(written)) ? await keptInJournal(needs, end, { written, isForgettable }) : await written
    if (!result.ok || result.type !== 'settled') throw new HoldMissing(`There is no hold ${id} to settle`)
    crashPoint('after-settle')
    return { charged: result.charged, balance: result.balance, budgets: result.budgets }
  }
}

/** If the database is unreachable at the end of a call, its answer is not delayed indefinitely. */
const isLate = createLateness({ afterMs: 2000, checkMs: 200, now: () => performance.now() })

/** If the disk fails too, the database is awaited: nothing is confirmed that would not be remembered. */
async function keptInJournal(
  { journal, log }: Needs,
  end: SettleCommand,
  { written, isForgettable }: { written: Promise<Result>; isForgettable: boolean },
): Promise<Result> {
  const promised: Result = { ok: true, type: 'settled', charged: end.actual, balance: undefined }
  if (isForgettable) return promised
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

function unavailable(error: unknown): never {
  throw new GatewayError(error instanceof LedgerBusy ? 'server.busy' : 'server.unavailable', {}, { cause: error })
}
