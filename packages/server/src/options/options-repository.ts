import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { lockingRows } from '../database/id-list.ts'

export const optionsRepository = (db: Db) => ({
  all: () => db.selectFrom('options').select(['key', 'value']).execute(),

  /** The stored value, which nobody else changes until the transaction ends; one that was never set becomes `otherwise`. */
  async locked(key: string, otherwise: string) {
    await db
      .insertInto('options')
      .values({ key, value: otherwise })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { rows } = await sql<{
      value: string
    }>`SELECT value FROM options WHERE key = ${key} ${lockingRows(db)}`.execute(db)
    return rows[0]?.value ?? otherwise
  },

  save: (key: string, value: string) =>
    db
      .insertInto('options')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute(),
})
