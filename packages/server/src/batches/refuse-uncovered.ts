import type { Text } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import { shortageOf } from '../ledger/set-aside.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import type { TokensService } from '../tokens/tokens-service.ts'

interface Needs {
  tokens: Pick<TokensService, 'balances'>
  /** An amount of quota as people read it. */
  amountText(quota: number): Text
}

export type RefuseUncovered = ReturnType<typeof createRefuseUncovered>

/**
 * Refuses a caller whose balance does not cover this amount, as a call is refused. Only for work that costs nothing by itself: nothing is
 * held.
 */
export const createRefuseUncovered =
  ({ tokens, amountText }: Needs) =>
  async ({ tokenId }: RelayCaller, amount: number) => {
    const { user, token } = await tokens.balances(tokenId)
    const shortage = shortageOf(user, token, amount)
    if (shortage !== undefined) throw new GatewayError(`quota.${shortage}`, { needed: amountText(amount) })
  }
