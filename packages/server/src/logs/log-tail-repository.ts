import type { Db } from '../database/client.ts'

export const logTailRepository = (db: Db) => ({
  async newestId() {
    const row = await db.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    return row?.id ?? 0
  },

  /** The ids after one, newest first. */
  async idsAfter(id: number, max: number) {
    const rows = await db
      .selectFrom('logs')
      .select('id')
      .where('id', '>', id)
      .orderBy('id', 'desc')
      .limit(max)
      .execute()
    return rows.map((row) => row.id)
  },
})
