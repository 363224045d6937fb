import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'
import { type PageRequest, pageOf, readingOf } from './listed-page.ts'

export type FileRow = Selectable<Schema['files']>
/** Without the plan, which may be as long as the file. */
export type ListedFile = Pick<FileRow, (typeof LISTED)[number]>

const LISTED = ['id', 'filename', 'purpose', 'bytes', 'created_at'] as const

/** Files of Google's clients are in the same table, and in no answer of OpenAI's API. */
export const GOOGLE_PURPOSE = 'google'

/** Another user's file is simply not there. */
export const filesRepository = (db: Db) => ({
  /** Repeating it changes nothing. */
  insert: (row: Insertable<Schema['files']>) =>
    db
      .insertInto('files')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute(),

  find: ({ id, userId }: { id: string; userId: number }) =>
    db
      .selectFrom('files')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('purpose', '<>', GOOGLE_PURPOSE)
      .executeTakeFirst(),

  async list(userId: number, purpose: string | undefined, paged: PageRequest) {
    const { anchor, compare, direction, most } = readingOf(paged)
    const rows: ListedFile[] = await db
      .selectFrom('files')
      .select(LISTED)
      .where('user_id', '=', userId)
      .where('purpose', '<>', GOOGLE_PURPOSE)
      .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose ?? ''))
      .$if(anchor !== undefined, (query) => query.where('id', compare, anchor ?? ''))
      .orderBy('id', direction)
      .limit(most)
      .execute()
    return pageOf(rows, paged)
  },

  remove: (id: string) => db.deleteFrom('files').where('id', '=', id).execute(),
})
