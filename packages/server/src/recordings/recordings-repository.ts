import { UserStatus } from '@tollgate/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'

export type RecordingRow = Insertable<Schema['recordings']>
export type StoredRecording = Selectable<Schema['recordings']>

/** Which recordings are removed: before a time, when expired, with their key, or with the account. */
export type Removed =
  | { before: number }
  | { expiredAt: number }
  | { tokenId: number }
  | { userId: number }
  | 'ownerless'

export const recordingsRepository = (db: Db) => ({
  insert: (rows: RecordingRow[]) =>
    db
      .insertInto('recordings')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),

  find: (requestId: string) =>
    db.selectFrom('recordings').selectAll().where('request_id', '=', requestId).executeTakeFirst(),

  /** The role of a recording's owner. */
  async roleOf(userId: number) {
    const { role } = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirstOrThrow()
    return role
  },

  /** Returns how many were removed. */
  async removeSome(removed: Removed, max: number) {
    const some = wanted(db, removed).select('request_id').limit(max)
    const { numDeletedRows } = await db.deleteFrom('recordings').where('request_id', 'in', some).executeTakeFirst()
    return Number(numDeletedRows)
  },
})

function wanted(db: Db, removed: Removed) {
  const all = db.selectFrom('recordings')
  if (removed === 'ownerless')
    return all.where(({ eb, or }) => or([eb('token_id', 'in', goneKeys(db)), eb('user_id', 'in', goneUsers(db))]))
  if ('before' in removed) return all.where('created_at', '<', removed.before)
  if ('expiredAt' in removed) return all.where('expires_at', '<=', removed.expiredAt)
  if ('tokenId' in removed) return all.where('token_id', '=', removed.tokenId)
  return all.where('user_id', '=', removed.userId)
}

const goneKeys = (db: Db) =>
  db
    .selectFrom('tokens')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('id', 'in', db.selectFrom('recordings').select('token_id'))

const goneUsers = (db: Db) =>
  db
    .selectFrom('users')
    .select('id')
    .where('status', '=', UserStatus.deleted)
    .where('id', 'in', db.selectFrom('recordings').select('user_id'))
