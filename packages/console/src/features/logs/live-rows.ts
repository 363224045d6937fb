import type { ListPage } from '../../api/call.ts'
import type { CallLog } from './call-log.ts'

/** So many entries stay in view while new ones come. */
export const LIVE_ROWS = 100

interface Fresh {
  rows: readonly CallLog[]
  /** How many others came that there was no room for. */
  skipped: number
}

/** The first page with what has come meanwhile on top of it, each entry once. */
export function withFresh(list: ListPage<CallLog>, { rows, skipped }: Fresh): ListPage<CallLog> {
  const known = new Set(list.rows.map(({ id }) => id))
  const fresh = rows.filter(({ id }) => !known.has(id))
  const newestFirst = [...fresh, ...list.rows].sort(
    (one, other) => other.created_at - one.created_at || other.id - one.id,
  )
  return { ...list, rows: newestFirst.slice(0, LIVE_ROWS), total: list.total + fresh.length + skipped }
}
