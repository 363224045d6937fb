import type { Db } from './client.ts'

/** A few facts about the database itself. */
export const metaRepository = (db: Db) => ({
  async get(key: string) {
    return (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
  },
  async set(key: string, value: string) {
    await db
      .insertInto('meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  },
})
