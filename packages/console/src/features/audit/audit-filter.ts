import type { AuditFilter } from '@tollgate/contract'
import type { AuditSearch } from '../../lib/lists/audit-search.ts'

/** What is changed and recorded. */
export const NOUNS = [
  ...(['option', 'channel', 'user', 'token', 'redemption', 'budget'] as const),
  ...(['alert_rule', 'alert_destination', 'log', 'recording', 'books'] as const),
] as const

/** The kind of objects in the URL, if it is a known one. */
export const nounOf = ({ noun }: AuditSearch) => NOUNS.find((known) => known === noun)

export const SINCE = ['day', 'week', 'month'] as const

/** The time in the URL, if it is a known one. */
export const sinceOf = ({ since }: AuditSearch) => SINCE.find((known) => known === since)

const HOUR = 3600
const DAYS = { day: 1, week: 7, month: 30 }

/** The filter of a URL as the server takes it. Times are rounded to hours, so that the same filter is the same query. */
export const toAuditFilter = (search: AuditSearch, now: number): AuditFilter => {
  const since = sinceOf(search)
  return {
    target: search.keyword ?? '',
    noun: nounOf(search) ?? '',
    actor: search.actor ?? '',
    start: since === undefined ? 0 : now - (now % HOUR) - DAYS[since] * 24 * HOUR,
  }
}

/** How many filters are set, besides the search text. */
export const countFilters = (search: AuditSearch) =>
  [nounOf(search), search.actor, sinceOf(search)].filter((value) => value !== undefined).length
