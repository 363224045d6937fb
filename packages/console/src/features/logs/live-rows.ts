import { LogType } from '@tollgate/contract'
import type { ListPage } from '../../api/call.ts'
import type { CallLog } from './call-log.ts'

/** So many entries stay in view while new ones come. */
export const LIVE_ROWS = 100

export interface Fresh {
  rows: readonly CallLog[]
  /** How many others came that there was no room for. */
  skipped: number
}

/** Those that the list has not read itself. */
export function unseenRows(list: ListPage<CallLog>, { rows }: Fresh) {
  const known = new Set(list.rows.map(({ id }) => id))
  return rows.filter(({ id }) => !known.has(id))
}

/** The first page with what has come meanwhile in its place, which is nearly always the top. */
export function withFresh(list: ListPage<CallLog>, { rows, skipped }: Fresh): ListPage<CallLog> {
  const newestFirst = [...rows, ...list.rows].sort(
    (one, other) => other.created_at - one.created_at || other.id - one.id,
  )
  return { ...list, rows: newestFirst.slice(0, LIVE_ROWS), total: list.total + rows.length + skipped }
}

/** What the sum of the filter grows by: as with the sum itself, consumption where no type is asked for. */
export const freshQuota = ({ rows }: Fresh, type: number = LogType.all) => {
  const counted = type === LogType.all ? LogType.consume : type
  return rows.filter((log) => log.type === counted).reduce((sum, { quota }) => sum + quota, 0)
}
