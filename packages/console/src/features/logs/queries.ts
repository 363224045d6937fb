import { queryOptions } from '@tanstack/react-query'
import { logs } from '@tollgate/contract'
import { z } from 'zod'
import { SERVER_ADDRESS } from '../../api/address.ts'
import { call, callPage } from '../../api/call.ts'
import { endpointUrl } from '../../api/url.ts'
import { chosenLocale } from '../../lib/locale.ts'
import { nowSeconds } from '../../lib/time.ts'
import { CallLog } from './call-log.ts'
import { type LogSearch, toAdminQuery, toQuery } from './log-filter.ts'

export const LOGS = ['logs'] as const

/** Everybody's logs for administrators, one's own for others. */
export interface LogView {
  everyone: boolean
  filter: LogSearch
  pageSize: number
}

const LIVE_MS = 5000

const rows = z.array(CallLog)
const everyones = { ...logs.list, data: rows }
const own = { ...logs.listSelf, data: rows }

export const logList =
  ({ everyone, filter, pageSize }: LogView, live: boolean) =>
  (page: number) =>
    queryOptions({
      queryKey: [...LOGS, 'list', everyone, filter, pageSize, page],
      queryFn: () =>
        everyone
          ? callPage(everyones, { query: { ...toAdminQuery(filter, nowSeconds()), p: page, page_size: pageSize } })
          : callPage(own, { query: { ...toQuery(filter, nowSeconds()), p: page, page_size: pageSize } }),
      refetchInterval: live && LIVE_MS,
    })

export const logStatistic = ({ everyone, filter }: LogView, live: boolean) =>
  queryOptions({
    queryKey: [...LOGS, 'statistic', everyone, filter],
    queryFn: () =>
      everyone
        ? call(logs.stat, { query: toAdminQuery(filter, nowSeconds()) })
        : call(logs.statSelf, { query: toQuery(filter, nowSeconds()) }),
    refetchInterval: live && LIVE_MS,
  })

/** Where the browser fetches the filtered log as a file. It is not read into this page, however long it is. */
export const exportAddress = ({ everyone, filter }: LogView, format: 'csv' | 'jsonl') => {
  const file = { format, language: chosenLocale() === 'en' ? 'en' : 'zh' }
  const address = everyone
    ? endpointUrl(logs.export, {}, { ...toAdminQuery(filter, nowSeconds()), ...file })
    : endpointUrl(logs.exportSelf, {}, { ...toQuery(filter, nowSeconds()), ...file })
  return SERVER_ADDRESS + address
}
