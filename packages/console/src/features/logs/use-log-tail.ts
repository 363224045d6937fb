import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { withFresh } from './live-rows.ts'
import { followLogs, LOGS, type LogView, logList, logStatistic } from './queries.ts'

/** The sum follows what comes, and not more often than this. */
const SUM_MS = 5000

/** New entries appear on top of the first page while it is live. Tells whether the connection is lost just now. */
export function useLogTail(view: LogView, live: boolean) {
  const client = useQueryClient()
  const [lost, setLost] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new at each render; its content is what counts.
  useEffect(() => {
    if (!live) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const sumLater = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void client.invalidateQueries({ queryKey: logStatistic(view).queryKey })
      }, SUM_MS)
    }
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
        client.setQueryData(queryKey, (list) => list && withFresh(list, fresh))
        // A list that is on its way may have been read before.
        if (client.isFetching({ queryKey }) > 0) void client.invalidateQueries({ queryKey })
        sumLater()
      },
    })
    return () => {
      clearTimeout(timer)
      setLost(false)
      end()
    }
  }, [client, live, JSON.stringify(view)])

  return lost
}
