import { ChannelStatus, PAGE_SIZE } from '@tollgate/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { contains, keywordId } from '../database/like.ts'
import type { Schema } from '../database/schema.ts'

export type StoredChannel = Selectable<Schema['channels']>

export const channelsRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['channels']>) =>
    db.insertInto('channels').values(row).returningAll().executeTakeFirstOrThrow(),

  find: (id: number) => db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst(),

  async page(keyword: string, page: number) {
    const id = keywordId(keyword)
    const matching = db
      .selectFrom('channels')
      .$if(keyword !== '', (query) =>
        query.where((column) =>
          column.or([contains(column.ref('name'), keyword), ...(id === undefined ? [] : [column('id', '=', id)])]),
        ),
      )
    const rows = await matching
      .selectAll()
      .orderBy('id', 'desc')
      .limit(PAGE_SIZE)
      .offset(page * PAGE_SIZE)
      .execute()
    const { total } = await matching
      .select((column) => column.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return { rows, total: Number(total) }
  },

  update: (id: number, columns: Updateable<Schema['channels']>) =>
    db.updateTable('channels').set(columns).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),

  remove: (id: number) => db.deleteFrom('channels').where('id', '=', id).execute(),

  removeDisabled: () =>
    db.deleteFrom('channels').where('status', '<>', ChannelStatus.enabled).returning(['id', 'name']).execute(),

  enabledOffers: () =>
    db.selectFrom('channels').select(['models', 'group']).where('status', '=', ChannelStatus.enabled).execute(),
})
