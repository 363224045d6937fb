import { LogType } from '@tollgate/contract'
import type { ListPage } from '../../api/call.ts'
import type { CallLog } from './call-log.ts'

/** The number of entries kept in view while new ones arrive. */
export const LIVE_ROWS = 100

export interface Fresh {
  rows: readonly CallLog[]
  /** How many more arrived that did not fit. */
  skipped: number
}

/** Rows that the list has not loaded itself. */
export function unseenRows(list: ListPage<CallLog>, { rows }: Fresh) {
  const known = new Set(list.rows.map(({ id }) => id))
  return rows.filter(({ id }) => !known.has(id))
}

/** The first page with new entries inserted, nearly always at the top. */
export function withFresh(list: ListPage<CallLog>, { rows, skipped }: Fresh): ListPage<CallLog> {
  const newestFirst = [...rows, ...list.rows].sort(
    (one, other) => other.created_at - one.created_at || other.id - one.id,
  )
  return { ...list, rows: newestFirst.slice(0, LIVE_ROWS), total: list.total + rows.length + skipped }
}

/** What new entries add to the filter's sum: as with the sum itself, consumption when no type is chosen. */
export const freshQuota = ({ rows }: Fresh, type: number = LogType.all) => {
  const counted = type === LogType.all || type === LogType.calls ? LogType.consume : type
  return rows.filter((log) => log.type === counted).reduce((sum, { quota }) => sum + quota, 0)
}
