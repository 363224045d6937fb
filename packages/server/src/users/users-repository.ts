import { Role, type User, type UserFilter, UserStatus } from '@tollgate/contract'
import { type Expression, type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { contains, exactFirst, keywordId, lists } from '../database/like.ts'
import type { PageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'
import { storedRateLimits } from '../limits/stored-rate-limits.ts'

export type StoredUser = Selectable<Schema['users']>
export type UserOrder = '' | 'quota' | 'used_quota' | 'request_count'

/** A column with a person's id at an external service. */
export type IdentityColumn = 'github_id' | 'wechat_id' | 'lark_id'

export const SERVICE_OF: Record<IdentityColumn, string> = { github_id: 'GitHub', lark_id: 'Lark', wechat_id: 'WeChat' }

/** Deleted accounts keep their row for the ledger; the queries here exclude them unless stated. */
export const usersRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['users']>) =>
    db.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow(),

  /** Until the transaction ends. */
  lock: (id: number) =>
    db
      .updateTable('users')
      .set((column) => ({ status: column.ref('status') }))
      .where('id', '=', id)
      .execute(),

  find: (id: number) => living(db).selectAll().where('id', '=', id).executeTakeFirst(),

  /** Of ordinary users: administrators often have more than anybody could spend. Undefined when there are none. */
  async largestBalance() {
    const { quota } = await living(db)
      .select((column) => column.fn.max<number | null>('quota').as('quota'))
      .where('status', '=', UserStatus.enabled)
      .where('role', '=', Role.user)
      .executeTakeFirstOrThrow()
    return quota === null ? undefined : Number(quota)
  },

  findByName: (username: string) => living(db).selectAll().where('username', '=', username).executeTakeFirst(),

  findByEmail: (email: string) => living(db).selectAll().where('email', '=', email).executeTakeFirst(),

  findRoot: () => living(db).selectAll().where('role', '>=', Role.root).orderBy('id').limit(1).executeTakeFirst(),

  findByAffiliateCode: (code: string) => living(db).selectAll().where('aff_code', '=', code).executeTakeFirst(),

  findByIdentity: (column: IdentityColumn, value: string) =>
    living(db).selectAll().where(column, '=', value).executeTakeFirst(),

  findByAccessToken: (hash: string) => living(db).selectAll().where('access_token_hash', '=', hash).executeTakeFirst(),

  /** Deleted accounts have another name and key. */
  findByNameKey: (key: string) => db.selectFrom('users').select('id').where('name_key', '=', key).executeTakeFirst(),

  withoutNameKey: (afterId: number, limit: number) =>
    db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('name_key', 'is', null)
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute(),

  async nameKeysAmong(keys: string[]) {
    if (keys.length === 0) return []
    const rows = await db.selectFrom('users').select('name_key').where('name_key', 'in', keys).execute()
    return rows.flatMap(({ name_key: key }) => key ?? [])
  },

  async setNameKeys(rows: { id: number; key: string }[]) {
    if (rows.length === 0) return
    // Both engines use these column names for a list of values.
    const values = sql.join(rows.map(({ id, key }) => sql`(CAST(${id} AS bigint), ${key})`))
    await sql`UPDATE users SET name_key = named.column2 FROM (VALUES ${values}) AS named
      WHERE users.id = named.column1`.execute(db)
  },

  /** A deleted account keeps its address, so that nobody gets the new-user bonus twice. */
  async isEmailTaken(email: string) {
    return (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) !== undefined
  },

  async isEmpty() {
    return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
  },

  async page(filter: UserFilter & { keyword?: string }, { limit, offset }: PageWindow, order: UserOrder) {
    const { keyword = '', group, role, status } = filter
    const id = keywordId(keyword)
    const matching = living(db)
      .$if(keyword !== '', (query) =>
        query.where((column) =>
          column.or([
            contains(column.ref('username'), keyword),
            contains(column.ref('email'), keyword),
            contains(column.ref('display_name'), keyword),
            ...(id === undefined ? [] : [column('id', '=', id)]),
          ]),
        ),
      )
      .$if(group !== '', (query) => query.where((column) => isIn(column.ref('group'), group)))
      .$if(role !== 0, (query) => query.where('role', '=', role))
      .$if(status !== 0, (query) => query.where('status', '=', status))
    const rows = await matching
      .selectAll()
      .$if(order !== '', (query) => query.orderBy(order === '' ? 'id' : order, 'desc'))
      .$if(keyword !== '', (query) =>
        query.orderBy((column) => exactFirst(keyword, column.ref('username'), column.ref('id'))),
      )
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return { rows, total: await countRows(matching) }
  },

  update: (id: number, columns: Updateable<Schema['users']>) =>
    db.updateTable('users').set(columns).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),

  /** Of all accounts, the deleted ones too: what no other account may have. */
  identities: () =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'name_key', 'email', 'github_id', 'wechat_id', 'lark_id', 'access_token_hash'])
      .select(['aff_code', 'role', 'password_default'])
      .execute(),

  /** Ends every session of the user, and the access token. */
  revoke: (id: number) =>
    db
      .updateTable('users')
      .set((column) => ({ auth_version: column('auth_version', '+', 1), access_token_hash: null }))
      .where('id', '=', id)
      .returning('auth_version')
      .executeTakeFirstOrThrow(),
})

/** The row in its wire format. */
export const toUser = (row: StoredUser): User => ({
  ...row,
  email: row.email ?? '',
  github_id: row.github_id ?? '',
  wechat_id: row.wechat_id ?? '',
  lark_id: row.lark_id ?? '',
  inviter_id: row.inviter_id ?? 0,
  rate_limits: storedRateLimits(row.rate_limits),
})

/** A user without a group is in the default one. */
function isIn(groups: Expression<string>, group: string) {
  return group === 'default' ? sql<SqlBool>`(${lists(groups, group)} OR ${groups} = '')` : lists(groups, group)
}

function living(db: Db) {
  return db.selectFrom('users').where('status', '<>', UserStatus.deleted)
}
