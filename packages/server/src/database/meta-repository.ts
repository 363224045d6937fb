import type { Db } from './client.ts'

/** Key-value facts about the database itself. */
export const metaRepository = (db: Db) => ({
  async get(key: string) {
    return (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
  },
  /** Returns the stored value: this one, or that of a concurrent writer. */
  async addOnce(key: string, value: string) {
    await db
      .insertInto('meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirstOrThrow()
    return row.value
  },
  async set(key: string, value: string) {
    await db
      .insertInto('meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  },
})
