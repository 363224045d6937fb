import { type ChannelFilter, ChannelStatus, commaList, type Text } from '@tollgate/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { isAmong, lockingRows } from '../database/id-list.ts'
import { contains, exactFirst, keywordId, lists } from '../database/like.ts'
import type { pageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'
import { tableVersion } from '../database/table-version.ts'

export type StoredChannel = Selectable<Schema['channels']>

/** A filter, and the ids for the part of it that no column can answer; undefined without such a part. */
export interface Wanted {
  filter: ChannelFilter
  among: readonly number[] | undefined
}

export const channelsRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['channels']>) =>
    db.insertInto('channels').values(row).returningAll().executeTakeFirstOrThrow(),

  find: (id: number) => db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst(),

  /** The current row, locked until the transaction ends. */
  lock: (id: number) =>
    db
      .updateTable('channels')
      .set((column) => ({ status: column.ref('status') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  async page(wanted: Wanted, { limit, offset }: ReturnType<typeof pageWindow>) {
    const { keyword } = wanted.filter
    const rows = await matching(db, wanted)
      .selectAll()
      .$if(keyword !== '', (query) =>
        query.orderBy((column) => exactFirst(keyword, column.ref('name'), column.ref('id'))),
      )
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return { rows, total: await countRows(matching(db, wanted)) }
  },

  async ids(wanted: Wanted, max: number) {
    const rows = await matching(db, wanted).select('id').orderBy('id', 'desc').limit(max).execute()
    return rows.map(({ id }) => id)
  },

  some: (ids: readonly number[]) =>
    db
      .selectFrom('channels')
      .selectAll()
      .where((column) => isAmong(db, column.ref('id'), ids))
      .orderBy('id', 'desc')
      .execute(),

  /** As `lock`. In the order in which calls lock the channels that they charge, so that neither waits for the other. */
  async lockMany(ids: readonly number[]) {
    const rows = await db
      .selectFrom('channels')
      .selectAll()
      .where((column) => isAmong(db, column.ref('id'), ids))
      .orderBy('id')
      .modifyEnd(lockingRows(db))
      .execute()
    return rows.reverse()
  },

  /** For a change of several statements, each of which would have to look it up. */
  async nextChange() {
    const { next } = await nextChange(db).executeTakeFirstOrThrow()
    return next
  },

  updateMany: (ids: readonly number[], columns: Updateable<Schema['channels']>) =>
    db
      .updateTable('channels')
      .set(columns)
      .where((column) => isAmong(db, column.ref('id'), ids))
      .execute(),

  removeMany: (ids: readonly number[]) =>
    db
      .deleteFrom('channels')
      .where((column) => isAmong(db, column.ref('id'), ids))
      .execute(),

  update: (id: number, columns: Updateable<Schema['channels']>) =>
    db
      .updateTable('channels')
      .set({ ...columns, changed: nextChange(db) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),

  /** Columns that routing does not care about. */
  note: (id: number, columns: Updateable<Schema['channels']>) =>
    db.updateTable('channels').set(columns).where('id', '=', id).execute(),

  /** True when the status was `from`. */
  async moveStatus(id: number, from: number, to: number, { zh, en }: Text) {
    const { numUpdatedRows } = await db
      .updateTable('channels')
      .set({ status: to, status_reason: zh, status_reason_en: en, changed: nextChange(db) })
      .where('id', '=', id)
      .where('status', '=', from)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },

  remove: (id: number) => db.deleteFrom('channels').where('id', '=', id).execute(),

  removeDisabled: () =>
    db.deleteFrom('channels').where('status', '<>', ChannelStatus.enabled).returning(['id', 'name']).execute(),

  all: () => db.selectFrom('channels').selectAll().orderBy('id').execute(),

  version: () => tableVersion(db, 'channels'),

  states: () =>
    db
      .selectFrom('channels')
      .select(['id', 'name', 'type', 'status', 'models', 'model_mapping'])
      .select(['status_reason', 'status_reason_en', 'response_time', 'balance', 'balance_updated_time'])
      .orderBy('id')
      .execute(),

  /** What channels offer, and where: all of them, or some. */
  offers: (ids?: readonly number[]) =>
    db
      .selectFrom('channels')
      .select(['id', 'name', 'type', 'status', 'models', 'model_mapping', 'base_url', 'config'])
      .$if(ids !== undefined, (query) => query.where((column) => isAmong(db, column.ref('id'), ids ?? [])))
      .orderBy('id')
      .execute(),

  tags: async () => {
    const rows = await db.selectFrom('channels').select('tag').distinct().where('tag', '<>', '').execute()
    return rows.map(({ tag }) => tag).sort()
  },

  offeredModels: async () => {
    const rows = await db.selectFrom('channels').select('models').distinct().execute()
    return [...new Set(rows.flatMap(({ models }) => commaList(models)))].sort()
  },

  enabledOffers: () =>
    db
      .selectFrom('channels')
      .select(['id', 'models', 'group'])
      .where('status', '=', ChannelStatus.enabled)
      .orderBy('id')
      .execute(),
})

function matching(db: Db, { filter, among }: Wanted) {
  const { keyword, status, type, group, model, tag, test_failed } = filter
  const id = keywordId(keyword)
  return (
    db
      .selectFrom('channels')
      .$if(keyword !== '', (query) =>
        query.where((column) =>
          column.or([contains(column.ref('name'), keyword), ...(id === undefined ? [] : [column('id', '=', id)])]),
        ),
      )
      .$if(status !== 0, (query) => query.where('status', '=', status))
      .$if(type !== 0, (query) => query.where('type', '=', type))
      .$if(group !== '', (query) => query.where((column) => lists(column.ref('group'), group)))
      .$if(model !== '', (query) => query.where((column) => lists(column.ref('models'), model)))
      .$if(tag !== '', (query) => query.where('tag', '=', tag))
      // A failed test has a time, but no response time.
      .$if(test_failed === 'true', (query) => query.where('test_time', '<>', 0).where('response_time', '=', 0))
      .$if(among !== undefined, (query) => query.where((column) => isAmong(db, column.ref('id'), among ?? [])))
  )
}

/** One more than any channel has had. */
function nextChange(db: Db) {
  return db.selectFrom('channels').select(sql<number>`coalesce(max(changed), 0) + 1`.as('next'))
}
