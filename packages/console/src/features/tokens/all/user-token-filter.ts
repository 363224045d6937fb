import type { LastUse, UserTokenSearch } from '../../../lib/lists/user-token-search.ts'

const HOUR = 3600
const DAY = 24 * HOUR

const SINCE: Record<LastUse, { days: number; name: 'used_after' | 'used_before' }> = {
  day: { days: 1, name: 'used_after' },
  week: { days: 7, name: 'used_after' },
  month: { days: 30, name: 'used_after' },
  not_month: { days: 30, name: 'used_before' },
  not_quarter: { days: 90, name: 'used_before' },
}

export const LAST_USES: readonly LastUse[] = ['day', 'week', 'month', 'not_month', 'not_quarter']

/** The filter of a URL as the server takes it. Times are rounded to hours, so that the same filter is the same query. */
export const toFilter = ({ page: _page, used, order, ...rest }: UserTokenSearch, now: number) => {
  const since = used === undefined ? undefined : SINCE[used]
  const at = (name: 'used_after' | 'used_before') => (since?.name === name ? now - (now % HOUR) - since.days * DAY : 0)
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...{ used_after: at('used_after'), used_before: at('used_before'), order: order ?? ('' as const) },
  }
}

/** How many filters are set, besides the search text. */
export const countFilters = ({ owner, model, status, used }: UserTokenSearch) =>
  [owner, model, status, used].filter((value) => value !== undefined).length
