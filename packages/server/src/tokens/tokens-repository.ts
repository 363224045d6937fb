import { TokenStatus, UserStatus } from '@tollgate/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { isAmong } from '../database/id-list.ts'
import { contains, exactFirst } from '../database/like.ts'
import { pageWindow } from '../database/page-window.ts'
import { prepared } from '../database/prepared.ts'
import type { Schema } from '../database/schema.ts'

export type StoredToken = Selectable<Schema['tokens']>
export type TokenOrder = '' | 'remain_quota' | 'used_quota'

/** What a call needs of a key and its owner. */
const keyFacts = prepared((db, hash) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select([
      'tokens.id',
      'tokens.user_id',
      'tokens.name',
      'tokens.status',
      'tokens.expired_time',
      'tokens.remain_quota',
      'tokens.unlimited_quota',
      'tokens.models',
      'tokens.subnet',
      'tokens.rate_limits',
      'tokens.admin_rate_limits',
      'tokens.fallback',
      'tokens.recording',
      'tokens.blocked_by',
      'tokens.blocked_reason',
      'users.username',
      'users.role',
      'users.group',
      'users.status as user_status',
      'users.rate_limits as user_rate_limits',
    ])
    .where('tokens.key_hash', '=', hash)
    .where('tokens.deleted_at', 'is', null),
)

/** The owner is in every WHERE: another user's token does not exist. */
export const tokensRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['tokens']>) =>
    db.insertInto('tokens').values(row).returning('id').executeTakeFirstOrThrow(),

  find: ({ id, userId }: { id: number; userId: number }) =>
    owned(db, userId).selectAll().where('id', '=', id).executeTakeFirst(),

  async page({
    userId,
    keyword,
    page,
    order,
  }: {
    userId: number
    keyword: string
    page: number | undefined
    order: TokenOrder
  }) {
    const matching = owned(db, userId).$if(keyword !== '', (query) =>
      query.where((column) => contains(column.ref('name'), keyword)),
    )
    const { limit, offset } = pageWindow(page)
    const rows = await matching
      .selectAll()
      .$if(order === 'remain_quota', (query) =>
        query.orderBy('unlimited_quota', 'desc').orderBy('remain_quota', 'desc'),
      )
      .$if(order === 'used_quota', (query) => query.orderBy('used_quota', 'desc'))
      .$if(keyword !== '', (query) => query.orderBy((column) => exactFirst(keyword, column.ref('name'))))
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return { rows, total: await countRows(matching) }
  },

  named: (userId: number, ids: readonly number[]) =>
    owned(db, userId)
      .select(['id', 'user_id', 'name'])
      .where((column) => isAmong(db, column.ref('id'), ids))
      .execute(),

  /** The newest tokens with limits. */
  limited: (userId: number, max: number) =>
    owned(db, userId)
      .select(['id', 'name', 'rate_limits', 'admin_rate_limits'])
      .where(({ eb, or }) => or([eb('rate_limits', '<>', ''), eb('admin_rate_limits', '<>', '')]))
      .orderBy('id', 'desc')
      .limit(max)
      .execute(),

  /** Those of these keys that were disabled or deleted, or whose owner was. */
  revoked: (ids: readonly number[]) =>
    db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select([
        'tokens.id',
        'tokens.status',
        'tokens.deleted_at',
        'tokens.blocked_by',
        'tokens.blocked_reason',
        'users.status as user_status',
      ])
      .where((column) => isAmong(db, column.ref('tokens.id'), ids))
      .where(({ eb, or }) =>
        or([
          eb('tokens.status', '=', TokenStatus.disabled),
          eb('tokens.deleted_at', 'is not', null),
          eb('tokens.blocked_by', '<>', 0),
          eb('users.status', '<>', UserStatus.enabled),
        ]),
      )
      .execute(),

  factsByHash: (hash: string) => keyFacts(db, hash),

  /** The remaining and used quota of a token and its owner. */
  async balances(id: number) {
    const token = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const user = await db
      .selectFrom('users')
      .select(['quota', 'held', 'used_quota'])
      .where('id', '=', token.user_id)
      .executeTakeFirstOrThrow()
    return { token, user }
  },

  countOf: (userId: number) => countRows(owned(db, userId)),

  /** Of all users, the deleted ones too. */
  lookups: () => db.selectFrom('tokens').select(['id', 'key_hash']).execute(),

  async update({ id, userId }: { id: number; userId: number }, columns: Updateable<Schema['tokens']>) {
    if (Object.keys(columns).length === 0) return
    await db.updateTable('tokens').set(columns).where('id', '=', id).where('user_id', '=', userId).execute()
  },

  /** True when a token was removed. The row stays for the ledger, without anything usable. */
  async remove({ id, userId }: { id: number; userId: number }, at: number) {
    const { numUpdatedRows } = await db
      .updateTable('tokens')
      .set({ deleted_at: at, status: 2, key_hash: `deleted:${id}`, key_sealed: '' })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
})

function owned(db: Db, userId: number) {
  return db.selectFrom('tokens').where('user_id', '=', userId).where('deleted_at', 'is', null)
}
