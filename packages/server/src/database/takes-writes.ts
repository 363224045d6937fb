import type { Database } from './client.ts'
import { isReadOnlyRefusal } from './unavailable.ts'

/** False when the database only reads, as a standby does after a failover. Rejects when it does not answer. */
export const takesWrites = async ({ db, engine }: Pick<Database, 'db' | 'engine'>): Promise<boolean> => {
  const anyRow = db.selectFrom('meta').select('key')
  if (engine === 'sqlite') {
    await anyRow.limit(1).execute()
    return true
  }
  // A standby refuses to lock rows even if there are none, and the pool then replaces the connection.
  const locking = anyRow.where('key', 'is', null).forUpdate().execute()
  return locking.then(
    () => true,
    (error) => {
      if (isReadOnlyRefusal(error)) return false
      throw error
    },
  )
}
