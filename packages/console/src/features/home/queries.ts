import { queryOptions } from '@tanstack/react-query'
import { channels, logs, status, users } from '@tollgate/contract'
import { call, callPage } from '../../api/call.ts'
import { nowSeconds, utcOffsetMinutes } from '../../lib/time.ts'

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

export const ownUsage = queryOptions({
  queryKey: ['users', 'dashboard'],
  queryFn: () => call(users.dashboard, { query: { utc_offset_minutes: utcOffsetMinutes() } }),
})

const HOUR = 3600

export const recentLogs = queryOptions({
  queryKey: ['logs', 'recent'],
  queryFn: () =>
    callPage(logs.listSelf, { query: { p: 0, type: 0, start_timestamp: 0, end_timestamp: nowSeconds() + HOUR } }),
})

export const newestChannels = queryOptions({
  queryKey: ['channels', 'newest'],
  queryFn: () => callPage(channels.list, { query: { p: 0 } }),
})
