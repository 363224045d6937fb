import { type Clock, seconds } from '../clock.ts'
import { GatewayError } from '../errors.ts'
import type { CallLog } from './books.ts'
import type { Refusal, Result } from './commands.ts'
import { LedgerBusy, type LedgerWriter } from './writer.ts'

/** Quota set aside for one call. It has to be settled, whatever becomes of the call. */
export interface OpenHold {
  readonly id: string
  amount(): number
  /** False when the balance does not allow it. */
  extend(to: number): Promise<boolean>
  /** What the call has used so far; charged if this process dies. Nobody waits for it. */
  progress(used: number): void
  settle(end: Settlement): Promise<Settled>
}

export interface Settlement {
  actual: number
  /** False for a call that failed. */
  done: boolean
  channelId: number | null
  log: CallLog
  keepLog: boolean
}

export interface Settled {
  charged: number
  balance: { from: number; to: number } | undefined
}

export interface CallLedger {
  hold(payer: { userId: number; tokenId: number }, id: string, amount: number, price: string): Promise<OpenHold>
}

/** The ledger as a call sees it: hold before the first byte goes up, settle before the last byte goes down. */
export const createCallLedger = (writer: LedgerWriter, epoch: string, clock: Clock): CallLedger => ({
  async hold({ userId, tokenId }, id, amount, price) {
    const command = { type: 'hold', id, epoch, userId, tokenId, amount, price, now: seconds(clock) } as const
    const result = await writer.submit(command).catch(unavailable)
    if (!result.ok) throw new GatewayError(REFUSALS[result.refusal])
    return openHold(writer, clock, id, amount)
  },
})

function openHold(writer: LedgerWriter, clock: Clock, id: string, initial: number): OpenHold {
  let amount = initial
  return {
    id,
    amount: () => amount,
    async extend(to) {
      if (to <= amount) return true
      const { ok } = await writer.submit({ type: 'extend', id, to })
      if (ok) amount = to
      return ok
    },
    progress(used) {
      // If it is lost, the next one or the settlement says the same.
      writer.submit({ type: 'progress', id, used }).catch(() => {})
    },
    async settle(end) {
      const result = await writer.submit({ type: 'settle', id, ...end, now: seconds(clock) })
      if (!result.ok || result.type !== 'settled') throw new Error(`The hold ${id} could not be settled`)
      return { charged: result.charged, balance: result.balance }
    },
  }
}

const REFUSALS = {
  user: 'quota.user',
  token: 'quota.token',
  disabled: 'relay.key_disabled',
  conflict: 'server.internal',
  missing: 'server.internal',
} as const satisfies Record<Refusal, string>

function unavailable(error: unknown): Result {
  throw new GatewayError(error instanceof LedgerBusy ? 'server.busy' : 'server.unavailable', {}, { cause: error })
}
