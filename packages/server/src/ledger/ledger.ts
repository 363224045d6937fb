import { QUOTA_MAX } from '@tollgate/contract'
import { sql } from 'kysely'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Tx } from '../database/client.ts'
import { isUniqueViolation } from '../database/unique.ts'

/** Why a balance changed. */
export type LedgerKind = 'opening' | 'bonus' | 'redeem' | 'topup' | 'admin' | 'consume' | 'late'

/** The kinds of ledger rows of calls. A checkpoint replaces many of the others. */
export const CALLS = ['consume', 'late', 'checkpoint']

export interface Posting {
  kind: LedgerKind
  /** The cause. Repeating the same posting does nothing; a different one with the same kind and cause is refused. */
  ref: string
  userId: number
  delta: number
  actorId?: number
}

export interface Posted {
  balance: number
  /** False when this posting had been made before. */
  fresh: boolean
}

export interface Ledger {
  post(tx: Tx, posting: Posting): Promise<Posted>
  setBalance(tx: Tx, edit: BalanceEdit): Promise<{ from: number; to: number }>
}

export interface BalanceEdit {
  userId: number
  target: number
  /** The balance the editor saw. With it the difference is applied; without it the balance is set. */
  base: number | undefined
  actorId: number
  ref: string
}

/**
 * The only writer of user balances: `users.quota` and its ledger row change in one transaction or not at all. The user's row is
 * locked before anything is decided, so the decision is about the current state.
 */
export const createLedger = (clock: Clock): Ledger => {
  const write = async (tx: Tx, posting: Posting, before: number) => {
    const balance = before + posting.delta
    if (Math.abs(balance) > QUOTA_MAX) throw new GatewayError('user.quota_bounds')
    // An administrator may take what running calls hold; that is a known overrun.
    const overrun = sql<number>`CASE WHEN held > ${balance} THEN held - ${balance} ELSE 0 END`
    await tx.updateTable('users').set({ quota: balance, overrun }).where('id', '=', posting.userId).execute()
    await tx
      .insertInto('ledger')
      .values({
        ts: seconds(clock),
        kind: posting.kind,
        ref: posting.ref,
        user_id: posting.userId,
        actor_id: posting.actorId ?? null,
        delta: posting.delta,
        balance,
      })
      .execute()
      .catch((error: unknown) => {
        // Another user's posting with this cause came in between: only this user's row is locked.
        if (isUniqueViolation(error)) throw new GatewayError('ledger.other_posting', { ref: posting.ref })
        throw error
      })
    return balance
  }

  return {
    async post(tx, posting) {
      if (!Number.isSafeInteger(posting.delta)) throw new Error(`Not a whole number: ${posting.delta}`)
      const before = await lockBalance(tx, posting.userId)
      const earlier = await tx
        .selectFrom('ledger')
        .select(['user_id', 'delta'])
        .where('kind', '=', posting.kind)
        .where('ref', '=', posting.ref)
        .executeTakeFirst()
      if (earlier === undefined) return { balance: await write(tx, posting, before), fresh: true }
      if (earlier.user_id !== posting.userId || earlier.delta !== posting.delta) {
        throw new GatewayError('ledger.other_posting', { ref: posting.ref })
      }
      return { balance: before, fresh: false }
    },

    async setBalance(tx, { userId, target, base, actorId, ref }) {
      const from = await lockBalance(tx, userId)
      const delta = target - (base ?? from)
      if (delta === 0) return { from, to: from }
      if (from + delta < 0) throw new GatewayError('user.below_zero')
      return { from, to: await write(tx, { kind: 'admin', ref, userId, delta, actorId }, from) }
    },
  }
}

/** An update that changes nothing locks the row on both engines until the transaction ends. */
export async function lockBalance(tx: Tx, userId: number) {
  const row = await tx
    .updateTable('users')
    .set((column) => ({ held: column.ref('held') }))
    .where('id', '=', userId)
    .returning('quota')
    .executeTakeFirst()
  if (row === undefined) throw new GatewayError('user.not_found')
  return row.quota
}
