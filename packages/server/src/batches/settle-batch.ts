import type { Outcome } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { storableText } from '../common/storable-text.ts'
import type { CallLog } from '../ledger/books.ts'
import { type CallLedger, HoldMissing } from '../ledger/call-ledger.ts'
import type { BudgetChange } from '../ledger/commands.ts'
import { candidatesText } from '../logs/call-detail.ts'
import { callLog } from '../relay/meter/receipt.ts'
import type { BatchRow, Payer } from './batches-repository.ts'
import type { Billed } from './bill.ts'

/** Who is notified of charges, and whether their log rows are kept. */
export interface Charging {
  keepLogs(): boolean
  onBalance(change: { userId: number; from: number; to: number }): void
  onBudgets(changes: readonly BudgetChange[]): void
  count?: ((row: CallLog) => void) | undefined
}

interface Needs {
  ledger: CallLedger
  clock: Clock
  log: Log
  charging: Charging
}

export interface BatchCharge {
  payer: Payer
  status: string
  billed: readonly Billed[]
  /** Why there is no answer. */
  error?: string
  /** The outcome without any answer, if the status does not tell it. */
  outcome?: Outcome
  /** Under which it is logged, if not under its own id. */
  requestId?: string
}

/** A vendor's message is written to the log. */
const ERROR_MAX = 500

/** The outcome of a batch without any answer, by its final status. */
const OUTCOMES = new Map<string, Outcome>([
  ['cancelled', 'canceled'],
  ['canceled', 'canceled'],
  ['expired', 'timeout'],
  ['BATCH_STATE_CANCELLED', 'canceled'],
  ['BATCH_STATE_EXPIRED', 'timeout'],
])

export type SettleBatch = ReturnType<typeof createSettleBatch>

/**
 * Settles a batch's hold at the cost of its answers, with one log row for each model. A second settlement has no effect,
 * because the hold is already closed.
 */
export const createSettleBatch = ({ ledger, clock, log, charging }: Needs) => {
  const rowsOf = (row: BatchRow, { payer, status, billed, error, outcome, requestId = row.id }: BatchCharge) =>
    billed.map((one) =>
      callLog({
        caller: { ...NOBODY, userId: row.user_id, tokenId: row.token_id, ...payer },
        ...{ requestId, channel: row.channel_id, requestedModel: one.asked, session: undefined },
        ...{ usage: one.usage, cost: one.cost, stream: false, firstByteMs: undefined, attempts: [] },
        source: one.unreported === 0 ? 'reported' : 'estimated',
        // Each line was charged at its own price tier, so the sum has none.
        quote: { ...one.quote, price: { ...one.quote.price, tiers: [] } },
        endedAt: clock.now(),
        elapsedMs: clock.now() - row.created_at * 1000,
        candidates: NO_CANDIDATES,
        outcome: error === undefined ? 'success' : (outcome ?? OUTCOMES.get(status) ?? 'client_error'),
        ...{ flag: undefined, reason: undefined, dropped: undefined, beside: undefined, error },
        ...{ status: undefined, stopped: undefined, recorded: undefined },
        batch: { id: row.id, status, requests: one.lines, answered: one.answered, unreported: one.unreported },
      }),
    )

  return async (row: BatchRow, charge: BatchCharge) => {
    const { billed, status } = charge
    const answered = billed.some((one) => one.answered > 0)
    const reason = charge.error ?? `The batch ended without an answer (${status})`
    const error = answered ? undefined : storableText(reason, ERROR_MAX)
    const [first, ...moreLogs] = rowsOf(row, { ...charge, ...(error !== undefined && { error }) })
    if (first === undefined) throw new Error(`The batch ${row.id} asks for no model`)
    try {
      const { balance, budgets } = await ledger.lasting(row.id, row.amount).settle({
        actual: billed.reduce((sum, { cost }) => sum + cost, 0),
        done: answered,
        channelId: row.channel_id,
        channelKeyId: row.channel_key_id ?? undefined,
        log: first,
        moreLogs,
        keepLog: answered ? charging.keepLogs() : true,
      })
      // Without a balance it was settled before, and everyone has been notified.
      if (balance === undefined) return
      for (const entry of [first, ...moreLogs]) charging.count?.(entry)
      if (balance.to < balance.from) charging.onBalance({ userId: row.user_id, ...balance })
      if (budgets !== undefined) charging.onBudgets(budgets)
    } catch (missing) {
      // The process ended before the hold, so nothing was sent.
      if (!(missing instanceof HoldMissing)) throw missing
      log.warn('A batch had no hold', { batch: row.id, seconds: seconds(clock) - row.created_at })
    }
  }
}

const NOBODY = {
  ...{ groups: [], models: undefined, limits: undefined, fallback: false, pinned: undefined, recording: undefined },
}
const NO_CANDIDATES = {
  next: () => undefined,
  passOver: () => {},
  leaveGroup: () => {},
  answered: () => {},
  keyOf: () => undefined,
  explain: () => ({ offered: false, excluded: [] }),
  logged: () => candidatesText([], { excluded: [] }),
}
