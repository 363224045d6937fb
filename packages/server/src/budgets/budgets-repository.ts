import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { pageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'
import { tableVersion } from '../database/table-version.ts'

export type StoredBudget = Selectable<Schema['budgets']>

export const budgetsRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['budgets']>) =>
    db.insertInto('budgets').values(row).returning('id').executeTakeFirstOrThrow(),

  find: (id: number) => db.selectFrom('budgets').selectAll().where('id', '=', id).executeTakeFirst(),

  async page({ scope, target, page }: { scope: string; target: string; page: number }) {
    const matching = db
      .selectFrom('budgets')
      .$if(scope !== '', (query) => query.where('scope', '=', scope))
      .$if(target !== '', (query) => query.where('target', '=', target))
    const { limit, offset } = pageWindow(page)
    const rows = await matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
    return { rows, total: await countRows(matching) }
  },

  countOf: (scope: string, target: string) =>
    countRows(db.selectFrom('budgets').where('scope', '=', scope).where('target', '=', target)),

  /** Budgets that apply to a user: the user's own, those of the groups and of the keys. */
  binding: ({ userId, groups }: { userId: number; groups: readonly string[] }) =>
    db
      .selectFrom('budgets')
      .selectAll()
      .where((column) =>
        column.or([
          column.and([column('scope', '=', 'user'), column('target', '=', String(userId))]),
          column.and([column('scope', '=', 'group'), column('target', 'in', groups)]),
          column.and([
            column('scope', '=', 'key'),
            column(
              'target',
              'in',
              db
                .selectFrom('tokens')
                .select(sql<string>`CAST(id AS text)`.as('id'))
                .where('user_id', '=', userId)
                .where('deleted_at', 'is', null),
            ),
          ]),
        ]),
      )
      .orderBy('id', 'desc')
      .execute(),

  update: (id: number, columns: Updateable<Schema['budgets']>) =>
    db
      .updateTable('budgets')
      .set((column) => ({ ...columns, changed: column('changed', '+', 1) }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  async remove(id: number) {
    await db.deleteFrom('budgets').where('id', '=', id).execute()
    await db.deleteFrom('budget_usage').where('budget_id', '=', id).execute()
  },

  /** Those managed by the administrators. */
  unowned: () => db.selectFrom('budgets').selectAll().where('scope', 'in', ['group', 'channel']).execute(),

  all: () => db.selectFrom('budgets').selectAll().execute(),

  /** Budgets of channels and groups that count calls for this model. */
  ofRoutes: (model: string) =>
    db
      .selectFrom('budgets')
      .selectAll()
      .where('scope', 'in', ['channel', 'group'])
      .where('model', 'in', ['', model])
      .execute(),

  version: () => tableVersion(db, 'budgets'),

  async usage({ id, from, until }: { id: number; from: number; until: number }) {
    const { used, held } = await db
      .selectFrom('budget_usage')
      .select([
        sql<number>`CAST(coalesce(sum(used), 0) AS bigint)`.as('used'),
        sql<number>`CAST(coalesce(sum(held), 0) AS bigint)`.as('held'),
      ])
      .where('budget_id', '=', id)
      .where('slot', '>=', from)
      .where('slot', '<=', until)
      .executeTakeFirstOrThrow()
    return { used: Number(used), held: Number(held) }
  },

  /** The names of the targets of one scope, by id. */
  async names(scope: 'key' | 'user' | 'channel', ids: readonly number[]) {
    if (ids.length === 0) return new Map<string, string>()
    const found =
      scope === 'key'
        ? await db
            .selectFrom('tokens')
            .select(['id', 'name'])
            .where('id', 'in', ids)
            .where('deleted_at', 'is', null)
            .execute()
        : scope === 'user'
          ? await db.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute()
          : await db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(found.map(({ id, name }) => [String(id), name]))
  },

  /** The owners of keys, by the key's id. */
  async ownersOfKeys(ids: readonly number[]) {
    if (ids.length === 0) return new Map<string, { id: number; username: string }>()
    const found = await db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select(['tokens.id as key', 'users.id', 'users.username'])
      .where('tokens.id', 'in', ids)
      .execute()
    return new Map(found.map(({ key, ...owner }) => [String(key), owner]))
  },

  /** The owner of a key; undefined when it does not exist. */
  async ownerOfKey(id: number) {
    const token = await db
      .selectFrom('tokens')
      .select('user_id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return token?.user_id
  },

  /** Whose account or key it limits; undefined for groups and channels, and for targets that do not exist. */
  ownerOf({ scope, target }: Pick<StoredBudget, 'scope' | 'target'>) {
    const users = db.selectFrom('users').select(['users.id', 'users.role'])
    if (scope === 'user') return users.where('users.id', '=', Number(target)).executeTakeFirst()
    if (scope !== 'key') return Promise.resolve(undefined)
    const owners = users.innerJoin('tokens', 'tokens.user_id', 'users.id')
    return owners.where('tokens.id', '=', Number(target)).executeTakeFirst()
  },

  /** Slots that no period covers any more. The newest slots of each budget stay, however old they are. */
  removeUsageBefore: (slot: number, newestKept: number) =>
    db
      .deleteFrom('budget_usage')
      .where('slot', '>', 0)
      .where('slot', '<', slot)
      .where('held', '=', 0)
      .where('slot', '<', ({ selectFrom, ref }) =>
        selectFrom('budget_usage as newer')
          .select('newer.slot')
          .where('newer.budget_id', '=', ref('budget_usage.budget_id'))
          .orderBy('newer.slot', 'desc')
          .limit(1)
          .offset(newestKept - 1),
      )
      .execute(),
})
