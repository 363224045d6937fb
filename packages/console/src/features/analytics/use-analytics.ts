import { getRouteApi } from '@tanstack/react-router'
import type { UsageQuery } from '../../api/usage.ts'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { type AnalyticsSearch, readView } from '../../lib/usage/usage-search.ts'

const route = getRouteApi('/analytics')

/** The query, all of it from the URL. */
export function useAnalytics() {
  const everyone = useIsAdmin()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { range, from, to } = search
  const { by, split, metric, step, filter } = readView(search, everyone)
  const query: UsageQuery = {
    ...{ everyone, range: { range, from, to }, step, filter, metric },
    by: split === undefined ? [by] : [by, split],
  }
  return {
    ...{ everyone, search, by, split, metric, step, filter, query, compares: search.compare !== undefined },
    go: (change: AnalyticsSearch) => void navigate({ search: { ...search, ...change }, resetScroll: false }),
  }
}

export type Analytics = ReturnType<typeof useAnalytics>
