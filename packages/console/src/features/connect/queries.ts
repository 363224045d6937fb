import { queryOptions } from '@tanstack/react-query'
import { LogType, logs, tokens } from '@tollgate/contract'
import { callPage } from '../../api/call.ts'
import { logPlace } from './log-place.ts'

/** Keys to choose from, newest first: some, or those whose name has the word. */
export const keyChoices = (keyword: string) =>
  queryOptions({
    queryKey: ['tokens', 'choices', keyword],
    queryFn: () =>
      keyword === ''
        ? callPage(tokens.list, { query: { p: 0, order: '' } })
        : callPage(tokens.search, { query: { p: 0, order: '', keyword } }),
  })

export interface SentCall {
  requestId: string
  tokenName: string
  ms: number
}

/** The log entry of a call, as the address of the log names it; null when it has none. */
export const logEntry = ({ requestId, tokenName, ms }: SentCall) =>
  queryOptions({
    queryKey: ['logs', 'entry', requestId],
    queryFn: async () => {
      const place = logPlace(requestId, ms)
      if (place === undefined) return null
      const { rows } = await callPage(logs.listSelf, {
        query: {
          p: 0,
          type: LogType.all,
          token_name: tokenName,
          model_name: '',
          start_timestamp: place.start,
          end_timestamp: place.end,
        },
      })
      const found = rows.some(({ request_id }) => request_id === requestId)
      return found ? { token_name: tokenName, request: requestId, ...place } : null
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The answer is there all the same; the page says that there is no entry to show.
    meta: { silent: true },
  })
