import { RedemptionStatus } from '@tollgate/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { contains, exactFirst, keywordId } from '../database/like.ts'
import type { PageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'

export type StoredRedemption = Selectable<Schema['redemptions']>

export interface RedemptionFilter {
  keyword: string
  /** Of the keyword, which may be a code. */
  hash: string
  status: number
}

export const redemptionsRepository = (db: Db) => ({
  insert: (rows: Insertable<Schema['redemptions']>[]) => db.insertInto('redemptions').values(rows).execute(),

  find: (id: number) =>
    withUsers(db)
      .selectAll('redemptions')
      .select('users.username as used_username')
      .where('redemptions.id', '=', id)
      .executeTakeFirst(),

  /** Locked until the transaction ends. */
  lock: (id: number) =>
    db
      .updateTable('redemptions')
      .set((column) => ({ status: column.ref('status') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  findByHash: (hash: string) =>
    db.selectFrom('redemptions').selectAll().where('key_hash', '=', hash).executeTakeFirst(),

  async page({ keyword, hash, status }: RedemptionFilter, { limit, offset }: PageWindow) {
    const id = keywordId(keyword)
    const matching = withUsers(db)
      .$if(keyword !== '', (query) =>
        query.where((column) =>
          column.or([
            contains(column.ref('redemptions.name'), keyword),
            contains(column.ref('users.username'), keyword),
            column('redemptions.key_hash', '=', hash),
            ...(id === undefined ? [] : [column('redemptions.id', '=', id)]),
          ]),
        ),
      )
      .$if(status !== 0, (query) => query.where('redemptions.status', '=', status))
    const rows = await matching
      .selectAll('redemptions')
      .select('users.username as used_username')
      .$if(keyword !== '', (query) =>
        query.orderBy((column) => exactFirst(keyword, column.ref('redemptions.name'), column.ref('redemptions.id'))),
      )
      .orderBy('redemptions.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return { rows, total: await countRows(matching) }
  },

  /** Only one caller gets the code; for everyone else there is no unused row any more. */
  claim: (hash: string, userId: number, at: number) =>
    db
      .updateTable('redemptions')
      .set({ status: RedemptionStatus.used, used_user_id: userId, redeemed_time: at })
      .where('key_hash', '=', hash)
      .where('status', '=', RedemptionStatus.unused)
      .returning(['id', 'quota'])
      .executeTakeFirst(),

  /** Undefined when the code has been used meanwhile: a used code is never changed. */
  updateUnused: (id: number, columns: Updateable<Schema['redemptions']>) =>
    db
      .updateTable('redemptions')
      .set(columns)
      .where('id', '=', id)
      .where('status', '<>', RedemptionStatus.used)
      .returningAll()
      .executeTakeFirst(),

  lookups: () => db.selectFrom('redemptions').select(['id', 'key_hash']).execute(),

  remove: (id: number) => db.deleteFrom('redemptions').where('id', '=', id).execute(),
})

/** Codes, each with the user who used it. */
const withUsers = (db: Db) => db.selectFrom('redemptions').leftJoin('users', 'users.id', 'redemptions.used_user_id')
