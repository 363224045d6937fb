import { type Insertable, type Selectable, sql } from 'kysely'
import { type Db, transact } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'
import { filesRepository } from './files-repository.ts'
import { type PageRequest, pageOf, readingOf } from './listed-page.ts'

export type BatchRow = Selectable<Schema['batches']>
export type NewBatch = Insertable<Schema['batches']>

/** Who pays for a batch, as the log names them. */
export interface Payer {
  username: string
  tokenName: string
}

export interface BatchEnd {
  status: string
  body: string
  outputFileId: string
  errorFileId: string
  settledAt: number
  /** Result files. */
  files: Insertable<Schema['files']>[]
}

export const batchesRepository = (db: Db) => ({
  insert: (row: NewBatch) => db.insertInto('batches').values(row).execute(),

  find: ({ id, userId }: { id: string; userId: number }) =>
    db.selectFrom('batches').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst(),

  /** Callers know a background response by the vendor's id. */
  findResponse: ({ upstreamId, userId }: { upstreamId: string; userId: number }) =>
    db
      .selectFrom('batches')
      .selectAll()
      .where('upstream_id', '=', upstreamId)
      .where('user_id', '=', userId)
      .where('kind', '=', 'response')
      .executeTakeFirst(),

  /** By the vendor's id, at this channel. */
  findTask: ({ upstreamId, userId, channelId }: { upstreamId: string; userId: number; channelId: number }) =>
    db
      .selectFrom('batches')
      .selectAll()
      .where('upstream_id', '=', upstreamId)
      .where('user_id', '=', userId)
      .where('channel_id', '=', channelId)
      .where('kind', '=', 'midjourney')
      .orderBy('id')
      .executeTakeFirst(),

  /** Without an owner check: the caller must have verified access in another way. */
  findWithoutOwner: (id: string) => db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst(),

  findMany: (ids: readonly string[], userId: number) =>
    db.selectFrom('batches').selectAll().where('id', 'in', ids).where('user_id', '=', userId).orderBy('id').execute(),

  async list(userId: number, kind: string, paged: PageRequest) {
    const { anchor, compare, direction, most } = readingOf(paged)
    const rows = await db
      .selectFrom('batches')
      .selectAll()
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .$if(anchor !== undefined, (query) => query.where('id', compare, anchor ?? ''))
      .orderBy('id', direction)
      .limit(most)
      .execute()
    return pageOf(rows, paged)
  },

  /** Batches that are not settled yet, oldest first. */
  open: () =>
    db
      .selectFrom('batches')
      .select(['id', 'channel_id'])
      .where('settled_at', 'is', null)
      .orderBy('created_at')
      .execute(),

  hasChannel: async (id: number) =>
    (await db.selectFrom('channels').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,

  isKnownUpstream: async (channelId: number, upstreamId: string) =>
    (await db
      .selectFrom('batches')
      .select('id')
      .where('channel_id', '=', channelId)
      .where('upstream_id', '=', upstreamId)
      .executeTakeFirst()) !== undefined,

  /** Stores the vendor's latest state of an open batch. */
  note: (id: string, { upstreamId, status, body }: { upstreamId: string; status: string; body: string }) =>
    db
      .updateTable('batches')
      .set({ upstream_id: upstreamId, status, body, unknown_times: 0, unknown_since: null })
      .where('id', '=', id)
      .where('settled_at', 'is', null)
      .execute(),

  /** Counts an answer in which the vendor did not know it. Undefined if it is settled. */
  countUnknown: (id: string, nowSec: number) =>
    db
      .updateTable('batches')
      .set(({ fn, val, ref }) => ({
        unknown_times: sql<number>`unknown_times + 1`,
        unknown_since: fn.coalesce(ref('unknown_since'), val(nowSec)),
      }))
      .where('id', '=', id)
      .where('settled_at', 'is', null)
      .returning(['unknown_times as times', 'unknown_since as sinceSec'])
      .executeTakeFirst(),

  /** Marks the batch as settled and inserts its result files, once, even if two nodes try. */
  end: (id: string, { status, body, outputFileId, errorFileId, settledAt, files }: BatchEnd) =>
    transact(db, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('batches')
        .set({ status, body, output_file_id: outputFileId, error_file_id: errorFileId, settled_at: settledAt })
        .where('id', '=', id)
        .where('settled_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 1n) for (const file of files) await filesRepository(tx).insert(file)
    }),

  remove: (id: string) => db.deleteFrom('batches').where('id', '=', id).execute(),

  async payer({ user_id, token_id }: Pick<BatchRow, 'user_id' | 'token_id'>): Promise<Payer> {
    const user = await db.selectFrom('users').select('username').where('id', '=', user_id).executeTakeFirst()
    const token = await db.selectFrom('tokens').select('name').where('id', '=', token_id).executeTakeFirst()
    return { username: user?.username ?? '', tokenName: token?.name ?? '' }
  },
})
