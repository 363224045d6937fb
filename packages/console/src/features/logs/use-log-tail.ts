import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { freshQuota, unseenRows, withFresh } from './live-rows.ts'
import { followLogs, LOGS, type LogView, logList, logStatistic } from './queries.ts'

/** New entries appear on top of the first page while it is live. Tells whether the connection is lost just now. */
export function useLogTail(view: LogView, live: boolean) {
  const client = useQueryClient()
  const [lost, setLost] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new at each render; its content is what counts.
  useEffect(() => {
    if (!live) return undefined
    const end = followLogs(view, {
      onOpen() {
        setLost(false)
        void client.invalidateQueries({ queryKey: LOGS })
      },
      onLost(refused) {
        setLost(true)
        // A session that has ended is found out by the list, as everywhere.
        if (refused) void client.invalidateQueries({ queryKey: LOGS })
      },
      onMessage(fresh) {
        const { queryKey } = logList(view)(0)
        const shown = client.getQueryData(queryKey)
        if (shown === undefined) return
        const unseen = { ...fresh, rows: unseenRows(shown, fresh) }
        client.setQueryData(queryKey, withFresh(shown, unseen))
        client.setQueryData(
          logStatistic(view).queryKey,
          (sum) => sum && { ...sum, quota: sum.quota + freshQuota(unseen, view.filter.type) },
        )
        // What is on its way may have been read before.
        if (client.isFetching({ queryKey: LOGS }) > 0) void client.invalidateQueries({ queryKey: LOGS })
      },
    })
    return () => {
      setLost(false)
      end()
    }
  }, [client, live, JSON.stringify(view)])

  return lost
}
