import { ChannelKeyStatus } from '@tollgate/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { isAmong } from '../database/id-list.ts'
import { contains } from '../database/like.ts'
import type { pageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'

export type StoredKey = Selectable<Schema['channel_keys']>

const ROWS_AT_ONCE = 500

export const channelKeysRepository = (db: Db) => ({
  async insert(rows: readonly Insertable<Schema['channel_keys']>[]) {
    for (let done = 0; done < rows.length; done += ROWS_AT_ONCE) {
      await db
        .insertInto('channel_keys')
        .values(rows.slice(done, done + ROWS_AT_ONCE))
        .execute()
    }
  },

  hashes: async (channel: number) => {
    const rows = await db.selectFrom('channel_keys').select('key_hash').where('channel_id', '=', channel).execute()
    return new Set(rows.map(({ key_hash }) => key_hash))
  },

  find: (channel: number, id: number) =>
    db.selectFrom('channel_keys').selectAll().where('channel_id', '=', channel).where('id', '=', id).executeTakeFirst(),

  /** In the order of insertion, which `in_order` uses. */
  async page(
    channel: number,
    { status, hint }: { status: number; hint: string },
    { limit, offset }: ReturnType<typeof pageWindow>,
  ) {
    const matching = db
      .selectFrom('channel_keys')
      .where('channel_id', '=', channel)
      .$if(status !== 0, (query) => query.where('status', '=', status))
      .$if(hint !== '', (query) => query.where((column) => contains(column.ref('key_hint'), hint)))
    const rows = await matching.selectAll().orderBy('id').limit(limit).offset(offset).execute()
    return { rows, total: await countRows(matching) }
  },

  async counts(channel: number, nowMs: number) {
    const rows = await db
      .selectFrom('channel_keys')
      .select((column) => [
        'status',
        column.fn.countAll<number>().as('count'),
        sql<number>`sum(CASE WHEN cooldown_until > ${nowMs} THEN 1 ELSE 0 END)`.as('cooling'),
      ])
      .where('channel_id', '=', channel)
      .groupBy('status')
      .execute()
    const of = (status: number) => rows.find((row) => Number(row.status) === status)
    const { enabled, paused, setAside } = ChannelKeyStatus
    return {
      enabled: Number(of(enabled)?.count ?? 0),
      cooling: Number(of(enabled)?.cooling ?? 0),
      paused: Number(of(paused)?.count ?? 0),
      set_aside: Number(of(setAside)?.count ?? 0),
    }
  },

  enabledBeside: (channel: number, ids: readonly number[]) =>
    countRows(
      db
        .selectFrom('channel_keys')
        .where('channel_id', '=', channel)
        .where('status', '=', ChannelKeyStatus.enabled)
        .where('id', 'not in', ids),
    ),

  some: (channel: number, ids: readonly number[]) =>
    db
      .selectFrom('channel_keys')
      .selectAll()
      .where('channel_id', '=', channel)
      .where((column) => isAmong(db, column.ref('id'), ids))
      .orderBy('id')
      .execute(),

  sealed: (channel: number) =>
    db
      .selectFrom('channel_keys')
      .select(['id', 'key_sealed'])
      .where('channel_id', '=', channel)
      .orderBy('id')
      .execute(),

  /** What routing needs of keys that are not paused, by channel and in order. */
  routable: (channels: readonly number[]) =>
    db
      .selectFrom('channel_keys')
      .select(['id', 'channel_id', 'key_sealed', 'key_hint', 'status', 'rate_limits', 'cooldowns'])
      .where((column) => isAmong(db, column.ref('channel_id'), channels))
      .where('status', '<>', ChannelKeyStatus.paused)
      .orderBy('channel_id')
      .orderBy('id')
      .execute(),

  cooldowns: (ids: readonly number[]) =>
    db
      .selectFrom('channel_keys')
      .select(['id', 'cooldowns'])
      .where((column) => isAmong(db, column.ref('id'), ids))
      .execute(),

  update: (ids: readonly number[], columns: Updateable<Schema['channel_keys']>) =>
    db
      .updateTable('channel_keys')
      .set(columns)
      .where((column) => isAmong(db, column.ref('id'), ids))
      .execute(),

  /** True when the key was in use until now. */
  async setAside(id: number, columns: { status_reason: string; last_error_time: number }) {
    const { numUpdatedRows } = await db
      .updateTable('channel_keys')
      .set({ ...columns, status: ChannelKeyStatus.setAside, last_error: columns.status_reason })
      .where('id', '=', id)
      .where('status', '=', ChannelKeyStatus.enabled)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },

  remove: (ids: readonly number[]) =>
    db
      .deleteFrom('channel_keys')
      .where((column) => isAmong(db, column.ref('id'), ids))
      .execute(),

  removeAll: (channel: number) => db.deleteFrom('channel_keys').where('channel_id', '=', channel).execute(),

  ofStatus: (channel: number, status: number) =>
    db
      .selectFrom('channel_keys')
      .select(['id', 'key_hint'])
      .where('channel_id', '=', channel)
      .where('status', '=', status)
      .orderBy('id')
      .execute(),
})
