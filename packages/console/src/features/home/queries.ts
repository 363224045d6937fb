import { queryOptions } from '@tanstack/react-query'
import { analytics, channels, LogType, logs, status, tokens } from '@tollgate/contract'
import { call, callPage } from '../../api/call.ts'
import { nowSeconds } from '../../lib/format/time.ts'
import type { HomeScope } from '../../lib/session/home-scope.ts'

/** A missing notice is not worth an error. */
export const siteNotice = queryOptions({
  queryKey: ['notice'],
  queryFn: () => call(status.notice),
  staleTime: 60_000,
  meta: { silent: true },
})

export const homeContent = queryOptions({
  queryKey: ['home-content'],
  queryFn: () => call(status.homePageContent),
  staleTime: 60_000,
})

const HOUR = 3600

const ownOf = (type: number) => ({ p: 0, type, start_timestamp: 0, end_timestamp: nowSeconds() + HOUR })
const anyOf = (type: number) => ({ ...ownOf(type), channel: 0 })

export const recentLogs = (scope: HomeScope) =>
  queryOptions({
    queryKey: ['logs', 'recent', scope],
    queryFn: () =>
      scope === 'gateway'
        ? callPage(logs.list, { query: anyOf(LogType.calls) })
        : callPage(logs.listSelf, { query: ownOf(LogType.calls) }),
  })

/** Whether any call was ever answered. */
export const everCalled = queryOptions({
  queryKey: ['logs', 'ever-called'],
  queryFn: async () => (await callPage(logs.list, { query: anyOf(LogType.consume) })).total > 0,
})

export const channelAttention = queryOptions({
  queryKey: ['channels', 'attention'],
  queryFn: () => call(channels.attention),
})

/** Channels and keys that need attention. */
export const attention = queryOptions({
  queryKey: ['analytics', 'attention'],
  queryFn: () => call(analytics.attention),
})

/** The user's own keys, and how long the balance lasts. */
export const ownAttention = queryOptions({
  queryKey: ['analytics', 'attention', 'self'],
  queryFn: () => call(analytics.attentionSelf),
})

/** For the first steps: which keys exist. */
export const ownTokens = queryOptions({
  queryKey: ['tokens', 'first'],
  queryFn: () => callPage(tokens.list, { query: { p: 0, order: '' } }),
})
