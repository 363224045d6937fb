import { getRouteApi } from '@tanstack/react-router'
import type { UsageQuery } from '../../api/usage.ts'
import { useHomeScope } from '../../lib/session/home-scope.ts'
import { useIsAdmin, useSessionUser } from '../../lib/session/session-user.ts'
import type { HomeSearch } from '../../lib/usage/usage-search.ts'
import { readView } from '../../lib/usage/usage-search.ts'

const route = getRouteApi('/')

/** Whose calls and which days the overview shows, from its URL and from what this browser remembers. */
export function useHome() {
  const admin = useIsAdmin()
  const own = useSessionUser()?.username
  const { scope, choose } = useHomeScope(admin)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { range, from, to } = search
  const everyone = scope === 'gateway'
  const { split = 'model', metric } = readView({ ...search, by: 'time' }, everyone)
  const query: UsageQuery = { everyone, range: { range, from, to }, by: ['time', split], metric }
  return {
    ...{ admin, scope, choose, search, split, metric, query },
    /** An administrator's log and analytics are everybody's. */
    filter: admin && !everyone ? { user: own } : {},
    go: (change: HomeSearch) => void navigate({ search: { ...search, ...change }, resetScroll: false }),
  }
}

export type Home = ReturnType<typeof useHome>
