import { queryOptions } from '@tanstack/react-query'
import { LogType, logs, tokens } from '@tollgate/contract'
import { callPage } from '../../api/call.ts'

/** Keys to choose from, newest first: some, or those whose name contains the word. */
export const keyChoices = (keyword: string) =>
  queryOptions({
    queryKey: ['tokens', 'choices', keyword],
    queryFn: () =>
      keyword === ''
        ? callPage(tokens.list, { query: { p: 0, order: '' } })
        : callPage(tokens.search, { query: { p: 0, order: '', keyword } }),
  })

/** An answered call has its entry when the answer ends. A refusal is written a moment later, or with the next equal ones. */
const LOOKS_FOR_REFUSAL = 12

/** The log entries of a call; an error when it has none. */
export const logEntries = (requestId: string, answered: boolean) =>
  queryOptions({
    queryKey: ['logs', 'of', requestId],
    queryFn: async () => {
      const query = { p: 0, type: LogType.all, request_id: requestId, start_timestamp: 0, end_timestamp: 0 }
      const rows = requestId === '' ? [] : (await callPage(logs.listSelf, { query })).rows
      if (rows.length === 0) throw new Error('No entry')
      return rows
    },
    retry: answered || requestId === '' ? 0 : LOOKS_FOR_REFUSAL,
    retryDelay: (failures) => Math.min(250 * 1.5 ** failures, 3000),
    staleTime: Number.POSITIVE_INFINITY,
    // The answer is shown anyway; the page says that there is no entry.
    meta: { silent: true },
  })
