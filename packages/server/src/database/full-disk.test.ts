import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { engine, testDatabase } from '../testing/database.ts'
import { transact } from './client.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

if (engine === 'sqlite') {
  test('a transaction on a full disk fails as one that may work later, and the next one does', async () => {
    const { db, close } = await testDatabase()
    const write = (bytes: number) =>
      transact(db, async (tx) => {
        await tx.insertInto('meta').values({ key: 'before', value: '' }).execute()
        await tx
          .insertInto('meta')
          .values({ key: 'large', value: 'x'.repeat(bytes) })
          .execute()
      })
    // SQLite sets it to the number of pages that there are.
    await sql`PRAGMA max_page_count = 1`.execute(db)
    const error: unknown = await write(20_000_000).catch((reason) => reason)
    expect([error, isDatabaseUnavailable(error)]).toEqual([expect.objectContaining({ code: 'SQLITE_FULL' }), true])
    await sql`PRAGMA max_page_count = 1000000`.execute(db)
    await write(10)
    await close()
  })
}
