import type { Insertable } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'

export const sessionsRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['sessions']>) => db.insertInto('sessions').values(row).execute(),

  find: (idHash: string) => db.selectFrom('sessions').selectAll().where('id_hash', '=', idHash).executeTakeFirst(),

  touch: (idHash: string, at: number) =>
    db.updateTable('sessions').set({ seen_at: at }).where('id_hash', '=', idHash).execute(),

  renew: (idHash: string, authVersion: number) =>
    db.updateTable('sessions').set({ auth_version: authVersion }).where('id_hash', '=', idHash).execute(),

  remove: (idHash: string) => db.deleteFrom('sessions').where('id_hash', '=', idHash).execute(),

  removeOlderThan: (createdAt: number, seenAt: number) =>
    db
      .deleteFrom('sessions')
      .where((column) => column.or([column('created_at', '<', createdAt), column('seen_at', '<', seenAt)]))
      .execute(),
})
