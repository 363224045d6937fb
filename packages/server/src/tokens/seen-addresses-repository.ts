import { sql } from 'kysely'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import { isAmong } from '../database/id-list.ts'

export interface SeenAddress {
  tokenId: number
  address: string
  firstAt: number
  lastAt: number
}

/** Addresses stored per key. */
export const ADDRESSES_MAX = 200

const ROWS_AT_ONCE = 200

/** The addresses from which keys were used. */
export const seenAddressesRepository = (db: Db) => ({
  /** An address last used longer than `pastSec` ago starts again. */
  async add(rows: readonly SeenAddress[], pastSec: number) {
    // Sorted by key, the lock order of every node.
    const sorted = rows.toSorted((one, other) => one.tokenId - other.tokenId || (one.address < other.address ? -1 : 1))
    for (let first = 0; first < sorted.length; first += ROWS_AT_ONCE) {
      await transact(db, (tx) => addSome(tx, sorted.slice(first, first + ROWS_AT_ONCE), pastSec))
      await yieldToEventLoop()
    }
  },

  of: (tokenIds: readonly number[]) =>
    db
      .selectFrom('key_addresses')
      .select(['token_id', 'address', 'first_at', 'last_at'])
      .where((column) => isAmong(db, column.ref('token_id'), tokenIds))
      .execute(),

  removeUnusedSince: (at: number) => db.deleteFrom('key_addresses').where('last_at', '<', at).execute(),
})

async function addSome(tx: Tx, rows: readonly SeenAddress[], pastSec: number) {
  const known = await seenAddressesRepository(tx).of([...new Set(rows.map(({ tokenId }) => tokenId))])
  const names = new Set(known.map(({ token_id, address }) => `${token_id} ${address}`))
  const counts = new Map<number, number>()
  const increase = (tokenId: number) => {
    const count = (counts.get(tokenId) ?? 0) + 1
    counts.set(tokenId, count)
    return count
  }
  for (const { token_id } of known) increase(token_id)
  const kept = rows.filter(
    ({ tokenId, address }) => names.has(`${tokenId} ${address}`) || increase(tokenId) <= ADDRESSES_MAX,
  )
  if (kept.length === 0) return
  await tx
    .insertInto('key_addresses')
    .values(
      kept.map(({ tokenId, address, firstAt, lastAt }) => ({
        ...{ token_id: tokenId, address, first_at: firstAt, last_at: lastAt },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['token_id', 'address']).doUpdateSet({
        first_at: sql`CASE WHEN key_addresses.last_at < excluded.first_at - CAST(${pastSec} AS bigint)
          THEN excluded.first_at ELSE key_addresses.first_at END`,
        last_at: sql`CASE WHEN key_addresses.last_at < excluded.last_at
          THEN excluded.last_at ELSE key_addresses.last_at END`,
      }),
    )
    .execute()
}
