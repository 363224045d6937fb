import { sql } from 'kysely'
import { isAmong } from '../database/id-list.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'

/** Figures identify a key by its owner and name. */
export interface NamedKey {
  user_id: number
  name: string
}

/** The usage of keys from daily or hourly sums. The queries read only rows with the given times, owners and names. */
export const keyFiguresRepository = (db: FiguresDb) => ({
  async read({ span, starts, keys }: { span: number; starts: readonly number[]; keys: readonly NamedKey[] }) {
    if (keys.length === 0) return []
    const rows = await db
      .selectFrom('key_usage')
      .select(['start', 'user_id', 'token_name'])
      .select(({ fn }) => fn.sum<number>('quota').as('quota'))
      .select(sql<number>`sum(request_count + failed_count)`.as('calls'))
      .where('span', '=', span)
      .where((column) => isAmong(db, column.ref('start'), starts))
      .where((column) => isAmong(db, column.ref('user_id'), [...new Set(keys.map(({ user_id }) => user_id))]))
      .where('token_name', 'in', [...new Set(keys.map(({ name }) => name))])
      .groupBy(['start', 'user_id', 'token_name'])
      .execute()
    return rows.map(({ quota, calls, ...row }) => ({ ...row, quota: Number(quota), calls: Number(calls) }))
  },
})
