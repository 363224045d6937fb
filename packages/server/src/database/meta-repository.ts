import type { Db } from './client.ts'

/** A few facts about the database itself. */
export const metaRepository = (db: Db) => ({
  async get(key: string) {
    return (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
  },
  /** Answers what is there: this value, or the one that somebody else was faster with. */
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
