import { QUOTA_MAX } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import type { Tx } from '../database/client.ts'

export interface TokenLimit {
  id: number
  unlimited: boolean | undefined
  /** What may still be spent. With `base`, the difference to what the editor saw; without it, the amount itself. */
  remain: number | undefined
  base: number | undefined
}

/** Sets how much a token may still spend. Only this file writes a token's quota outside a call. */
export const setTokenLimit = async (tx: Tx, { id, unlimited, remain, base }: TokenLimit) => {
  const row = await tx
    .updateTable('tokens')
    .set((column) => ({ held: column.ref('held') }))
    .where('id', '=', id)
    .returning(['remain_quota', 'unlimited_quota'])
    .executeTakeFirst()
  if (row === undefined) throw new GatewayError('token.not_found')
  const to = remain === undefined ? row.remain_quota : row.remain_quota + (remain - (base ?? row.remain_quota))
  if (to < 0 && to < row.remain_quota) throw new GatewayError('user.below_zero')
  if (Math.abs(to) > QUOTA_MAX) throw new GatewayError('user.quota_bounds')
  await tx
    .updateTable('tokens')
    .set({ remain_quota: to, unlimited_quota: unlimited === undefined ? row.unlimited_quota : unlimited ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}
