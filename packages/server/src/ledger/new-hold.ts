import { type BudgetClaim, type Hold, HoldState, type TokenAccount } from './books.ts'
import type { HoldCommand } from './commands.ts'

export function newHold(
  { id, epoch, userId, amount, price, now }: Pick<HoldCommand, 'id' | 'epoch' | 'userId' | 'amount' | 'price' | 'now'>,
  token: TokenAccount,
  claims: readonly BudgetClaim[],
): Hold {
  return {
    id,
    epoch,
    user_id: userId,
    token_id: token.id,
    channel_id: null,
    amount,
    limited: token.unlimited_quota === 1 ? 0 : 1,
    progress: 0,
    state: HoldState.open,
    actual: null,
    price,
    created_at: now,
    closed_at: null,
    budgets: claims,
  }
}
