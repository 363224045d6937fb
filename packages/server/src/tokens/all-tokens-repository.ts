import { NEVER_EXPIRES, TokenStatus, TokenStatusFilter, UserStatus, type UserTokenFilter } from '@tollgate/contract'
import { type SqlBool, sql, type Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { lockingRows } from '../database/id-list.ts'
import { contains, exactFirst, keywordId, lists } from '../database/like.ts'
import type { PageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'
import { endingKeys } from './ending-keys-repository.ts'

export type UserTokenOrder = '' | 'accessed_time' | 'used_quota'
export type StoredUserToken = NonNullable<Awaited<ReturnType<ReturnType<typeof allTokensRepository>['find']>>>

interface Page {
  filter: UserTokenFilter
  order: UserTokenOrder
  window: PageWindow
  /** A key's status depends on it: time and quota run out by themselves. */
  now: number
}

/** The keys of all users, for administrators. None of these queries reads the key itself. */
export const allTokensRepository = (db: Db) => ({
  async page({ filter, order, window: { limit, offset }, now }: Page) {
    const matching = filtered(db, filter, now)
    const rows = await matching
      .select(COLUMNS)
      .$if(order !== '', (query) => query.orderBy(order === '' ? 'tokens.id' : `tokens.${order}`, 'desc'))
      .$if(filter.keyword !== '', (query) =>
        query.orderBy((column) => exactFirst(filter.keyword, column.ref('tokens.name'))),
      )
      // Keys that end soon are listed as by `endingKeysRepository`.
      .$if(filter.status === TokenStatusFilter.ending, (query) =>
        query
          .orderBy(sql`CASE WHEN tokens.expired_time = ${NEVER_EXPIRES} THEN 1 ELSE 0 END`)
          .orderBy('tokens.expired_time'),
      )
      .orderBy('tokens.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return { rows, total: await countRows(matching) }
  },

  find: (id: number) => living(db).select(COLUMNS).where('tokens.id', '=', id).executeTakeFirst(),

  /** Locked until the transaction ends. */
  async lock(tokenId: number) {
    await sql`SELECT id FROM tokens WHERE id = ${tokenId} ${lockingRows(db)}`.execute(db)
  },

  async update(
    id: number,
    columns: Pick<
      Updateable<Schema['tokens']>,
      'status' | 'blocked_by' | 'blocked_reason' | 'recording' | 'recording_request' | 'admin_rate_limits'
    >,
  ) {
    await db.updateTable('tokens').set(columns).where('id', '=', id).execute()
  },
})

const COLUMNS = [
  'tokens.id',
  'tokens.user_id',
  'tokens.name',
  'tokens.status',
  'tokens.created_time',
  'tokens.accessed_time',
  'tokens.expired_time',
  'tokens.remain_quota',
  'tokens.unlimited_quota',
  'tokens.used_quota',
  'tokens.models',
  'tokens.subnet',
  'tokens.rate_limits',
  'tokens.admin_rate_limits',
  'tokens.fallback',
  'tokens.recording',
  'tokens.recording_request',
  'tokens.blocked_by',
  'tokens.blocked_reason',
  'users.username',
  'users.role',
  'users.group',
] as const

function living(db: Db) {
  return db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .where('tokens.deleted_at', 'is', null)
    .where('users.status', '<>', UserStatus.deleted)
}

function filtered(db: Db, { keyword, owner, model, status, used_after, used_before }: UserTokenFilter, now: number) {
  const ownerId = keywordId(owner)
  return living(db)
    .$if(keyword !== '', (query) => query.where((column) => contains(column.ref('tokens.name'), keyword)))
    .$if(owner !== '', (query) =>
      query.where((column) =>
        ownerId === undefined
          ? contains(column.ref('users.username'), owner)
          : column.or([column('users.id', '=', ownerId), column('users.username', '=', owner)]),
      ),
    )
    .$if(model !== '', (query) =>
      query.where((column) => column.or([column('tokens.models', '=', ''), lists(column.ref('tokens.models'), model)])),
    )
    .$if(status !== 0, (query) => query.where(hasStatus(status, now)))
    .$if(used_after !== 0, (query) => query.where('tokens.accessed_time', '>=', used_after))
    .$if(used_before !== 0, (query) => query.where('tokens.accessed_time', '<', used_before))
}

/** Of a token's own statuses, the same as `currentStatus` for one key. */
function hasStatus(status: number, now: number) {
  if (status === TokenStatusFilter.blocked) return sql<SqlBool>`tokens.blocked_by <> 0`
  if (status === TokenStatusFilter.ending) return endingKeys(now).any
  const { disabled, expired, exhausted } = TokenStatus
  return sql<SqlBool>`CASE
    WHEN tokens.status = ${disabled} THEN ${disabled}
    WHEN tokens.expired_time <> ${NEVER_EXPIRES} AND tokens.expired_time <= ${now} THEN ${expired}
    WHEN tokens.unlimited_quota = 0 AND tokens.remain_quota <= 0 THEN ${exhausted}
    ELSE tokens.status END = ${status}`
}
