import type { Db } from '../database/client.ts'
import { type FileRow, GOOGLE_PURPOSE } from './files-repository.ts'
import { type PageRequest, pageOf, readingOf } from './listed-page.ts'

/** Google deletes a file after two days. */
const KEPT_SEC = 48 * 3600

/** Files of Google's clients, as long as Google keeps them. Another user's file is simply not there. */
export const googleFilesRepository = (db: Db) => {
  const kept = (nowSec: number) =>
    db
      .selectFrom('files')
      .where('purpose', '=', GOOGLE_PURPOSE)
      .where('created_at', '>', nowSec - KEPT_SEC)

  return {
    find: ({ id, userId, nowSec }: { id: string; userId: number; nowSec: number }) =>
      kept(nowSec).selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst(),

    /** For an upload, whose address is its own credential. */
    findWithoutOwner: (id: string, nowSec: number) => kept(nowSec).selectAll().where('id', '=', id).executeTakeFirst(),

    /** The newest, which says where the user's next file should go. */
    latest: (userId: number, nowSec: number) =>
      kept(nowSec).selectAll().where('user_id', '=', userId).orderBy('id', 'desc').limit(1).executeTakeFirst(),

    async bytesOf(userId: number, nowSec: number) {
      const { total } = await kept(nowSec)
        .select(({ fn }) => fn.sum<number | string | null>('bytes').as('total'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(total ?? 0)
    },

    async list(userId: number, nowSec: number, paged: PageRequest) {
      const { anchor, compare, direction, most } = readingOf(paged)
      const rows: FileRow[] = await kept(nowSec)
        .selectAll()
        .where('user_id', '=', userId)
        .$if(anchor !== undefined, (query) => query.where('id', compare, anchor ?? ''))
        .orderBy('id', direction)
        .limit(most)
        .execute()
      return pageOf(rows, paged)
    },

    setPlan: (id: string, plan: string) => db.updateTable('files').set({ plan }).where('id', '=', id).execute(),

    removeExpired: (nowSec: number) =>
      db
        .deleteFrom('files')
        .where('purpose', '=', GOOGLE_PURPOSE)
        .where('created_at', '<=', nowSec - KEPT_SEC)
        .execute(),
  }
}
