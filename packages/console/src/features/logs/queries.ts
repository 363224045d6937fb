import { queryOptions } from '@tanstack/react-query'
import { logs, recordings } from '@tollgate/contract'
import { z } from 'zod'
import { SERVER_ADDRESS } from '../../api/address.ts'
import { call, callPage } from '../../api/call.ts'
import { listen } from '../../api/events.ts'
import { endpointUrl } from '../../api/url.ts'
import { chosenLocale } from '../../lib/format/locale.ts'
import { nowSeconds } from '../../lib/format/time.ts'
import { CallLog } from './call-log.ts'
import { type LogSearch, toAdminQuery, toQuery } from './log-filter.ts'

export const LOGS = ['logs'] as const

/** Everybody's logs for administrators, a user's own for others. */
export interface LogView {
  everyone: boolean
  filter: LogSearch
  pageSize: number
}

const rows = z.array(CallLog)
const everyones = { ...logs.list, data: rows }
const own = { ...logs.listSelf, data: rows }

const fresh = z.object({ rows, skipped: z.int(), reload: z.boolean() })
const everyonesTail = { ...logs.tail, data: fresh }
const ownTail = { ...logs.tailSelf, data: fresh }

const language = () => (chosenLocale() === 'en' ? 'en' : 'zh')

/** Subscribes to new entries that match the filter, until the returned function is called. */
export const followLogs = (
  { everyone, filter }: LogView,
  listener: Parameters<typeof listen<typeof everyonesTail>>[2],
) => {
  // New entries are never before the start of a range; without an explicit end there is none.
  const until = { start_timestamp: 0, end_timestamp: filter.end ?? 0, language: language() }
  return everyone
    ? listen(everyonesTail, { ...toAdminQuery(filter, 0), ...until }, listener)
    : listen(ownTail, { ...toQuery(filter, 0), ...until }, listener)
}

export const logList =
  ({ everyone, filter, pageSize }: LogView) =>
  (page: number) =>
    queryOptions({
      queryKey: [...LOGS, 'list', everyone, filter, pageSize, page],
      queryFn: () =>
        everyone
          ? callPage(everyones, { query: { ...toAdminQuery(filter, nowSeconds()), p: page, page_size: pageSize } })
          : callPage(own, { query: { ...toQuery(filter, nowSeconds()), p: page, page_size: pageSize } }),
    })

export const logStatistic = ({ everyone, filter }: LogView) =>
  queryOptions({
    queryKey: [...LOGS, 'statistic', everyone, filter],
    queryFn: () =>
      everyone
        ? call(logs.stat, { query: toAdminQuery(filter, nowSeconds()) })
        : call(logs.statSelf, { query: toQuery(filter, nowSeconds()) }),
  })

/** Fetched once: each view by an administrator is an entry in the audit log. */
export const recordingOf = (requestId: string, everyone: boolean) =>
  queryOptions({
    queryKey: [...LOGS, 'recording', requestId, everyone],
    queryFn: () => call(everyone ? recordings.get : recordings.getSelf, { params: { request_id: requestId } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export const unknownCallers = () =>
  queryOptions({ queryKey: [...LOGS, 'unknown callers'], queryFn: () => call(logs.unknownCallers), gcTime: 0 })

/** The download URL of the filtered log. It is not loaded into this page, however long it is. */
export const exportAddress = ({ everyone, filter }: LogView, format: 'csv' | 'jsonl') => {
  const file = { format, language: language() }
  const address = everyone
    ? endpointUrl(logs.export, {}, { ...toAdminQuery(filter, nowSeconds()), ...file })
    : endpointUrl(logs.exportSelf, {}, { ...toQuery(filter, nowSeconds()), ...file })
  return SERVER_ADDRESS + address
}
