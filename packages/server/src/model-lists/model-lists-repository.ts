import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../database/client.ts'
import { isAmong, lockingRows } from '../database/id-list.ts'
import type { Schema } from '../database/schema.ts'

export type StoredList = Selectable<Schema['model_lists']>

export const modelListsRepository = (db: Db) => ({
  find: (id: number) => db.selectFrom('model_lists').selectAll().where('channel_id', '=', id).executeTakeFirst(),

  /** Locked until the transaction ends. */
  lock: (ids: readonly number[]) =>
    db
      .selectFrom('model_lists')
      .selectAll()
      .where((column) => isAmong(db, column.ref('channel_id'), ids))
      .orderBy('channel_id')
      .modifyEnd(lockingRows(db))
      .execute(),

  save: (row: Insertable<Schema['model_lists']>) =>
    db
      .insertInto('model_lists')
      .values(row)
      .onConflict((conflict) => conflict.column('channel_id').doUpdateSet(row))
      .execute(),

  decide: (id: number, columns: Pick<StoredList, 'added' | 'missing' | 'kept'>) =>
    db.updateTable('model_lists').set(columns).where('channel_id', '=', id).execute(),

  /** When and where each was checked. */
  looks: () => db.selectFrom('model_lists').select(['channel_id', 'looked_at', 'place']).execute(),

  /** Those with changes, newest first, without the lists themselves, which are long. */
  news: (ids?: readonly number[]) =>
    db
      .selectFrom('model_lists')
      .select(['channel_id', 'place', 'looked_at', 'listed_at', 'added', 'missing', 'kept', 'error', 'error_en'])
      .where((column) =>
        column.or([column('added', '<>', '[]'), column('missing', '<>', '[]'), column('error', '<>', '')]),
      )
      .$if(ids !== undefined, (query) => query.where((column) => isAmong(db, column.ref('channel_id'), ids ?? [])))
      .orderBy('channel_id', 'desc')
      .execute(),
})
