import type { Db } from '../../database/client.ts'

/** How long a swept hold is kept: until then its process may still come back and settle it. */
const KEPT_SEC = 72 * 3600
const AT_ONCE = 500

/** Removes long closed holds, and those that earlier versions kept, in small steps, so that calls never wait for more than one. */
export const removeClosedHolds = async (db: Db, nowSec: number) => {
  for (let removed = 0; ; ) {
    const old = db
      .selectFrom('holds')
      .select('id')
      .where('state', '<>', 0)
      .where('closed_at', '<', nowSec - KEPT_SEC)
      .orderBy('closed_at')
      .limit(AT_ONCE)
    const { numDeletedRows } = await db.deleteFrom('holds').where('id', 'in', old).executeTakeFirst()
    removed += Number(numDeletedRows)
    if (numDeletedRows < AT_ONCE) return removed
    await new Promise((resolve) => setImmediate(resolve))
  }
}
