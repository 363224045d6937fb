import type { Insertable } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'

export const mailCodesRepository = (db: Db) => ({
  replace: (row: Insertable<Schema['mail_codes']>) =>
    db
      .insertInto('mail_codes')
      .values(row)
      .onConflict((conflict) => conflict.columns(['purpose', 'email']).doUpdateSet(row))
      .execute(),

  /** Undefined when there is no live code, or its attempts are used up. */
  countTry: (purpose: string, email: string, triesMax: number, now: number) =>
    db
      .updateTable('mail_codes')
      .set((column) => ({ tries: column('tries', '+', 1) }))
      .where('purpose', '=', purpose)
      .where('email', '=', email)
      .where('tries', '<', triesMax)
      .where('expires_at', '>', now)
      .returning('code_hash')
      .executeTakeFirst(),

  async consume(purpose: string, email: string, codeHash: string) {
    const { numDeletedRows } = await db
      .deleteFrom('mail_codes')
      .where('purpose', '=', purpose)
      .where('email', '=', email)
      .where('code_hash', '=', codeHash)
      .executeTakeFirst()
    return numDeletedRows === 1n
  },

  removeExpired: (now: number) => db.deleteFrom('mail_codes').where('expires_at', '<=', now).execute(),
})
