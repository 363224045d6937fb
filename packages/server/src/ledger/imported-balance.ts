import type { Tx } from '../database/client.ts'

/** What an account had and spent at the gateway that it comes from. */
export interface ImportedBalance {
  userId: number
  quota: number
  usedQuota: number
  requestCount: number
  /** What its keys have spent. */
  keys: readonly { tokenId: number; usedQuota: number }[]
}

/**
 * Books an account that was opened elsewhere: all it ever had as its opening, and what it has spent as checkpoints, one for each key, so
 * that its balance and its counters follow from the ledger like those of any other account. The account and its keys are new.
 */
export const importBalance = async (tx: Tx, at: number, imported: ImportedBalance) => {
  const { userId, quota, usedQuota, requestCount } = imported
  const keys = imported.keys.filter((key) => key.usedQuota !== 0)
  const spentByKeys = keys.reduce((sum, key) => sum + key.usedQuota, 0)
  const entry = { ts: at, user_id: userId, actor_id: null, channel_id: null, calls: 0 }
  const entries = [
    { kind: 'opening', ref: `opening:${userId}`, token_id: null, delta: quota + usedQuota, calls: 0 },
    ...keys.map(({ tokenId, usedQuota }) => ({
      ...{ kind: 'checkpoint', ref: `import:key:${tokenId}`, token_id: tokenId, delta: 0 - usedQuota, calls: 0 },
    })),
    // What was spent without a key, or with one that was deleted since.
    {
      ...{ kind: 'checkpoint', ref: `import:user:${userId}`, token_id: null },
      ...{ delta: spentByKeys - usedQuota, calls: requestCount },
    },
  ].filter(({ delta, calls }) => delta !== 0 || calls !== 0)
  let balance = 0
  for (const { delta, ...rest } of entries) {
    balance += delta
    await tx
      .insertInto('ledger')
      .values({ ...entry, ...rest, delta, balance })
      .execute()
  }
  const overrun = Math.max(0, 0 - quota)
  const counters = { quota, overrun, used_quota: usedQuota, request_count: requestCount }
  await tx.updateTable('users').set(counters).where('id', '=', userId).execute()
  for (const { tokenId, usedQuota } of keys) {
    await tx.updateTable('tokens').set({ used_quota: usedQuota }).where('id', '=', tokenId).execute()
  }
}
