import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { freshQuota, unseenRows, withFresh } from './live-rows.ts'
import { followLogs, LOGS, type LogView, logList, logStatistic } from './queries.ts'

/** The state of the connection: lost, or restored. */
export type TailState = { lost: true } | { lost: false; missed: number; reloaded: boolean } | undefined

/** New entries appear on top of the first page while it is live. */
export function useLogTail(view: LogView, live: boolean): TailState {
  const client = useQueryClient()
  const [state, setState] = useState<TailState>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is new at each render; its content is what counts.
  useEffect(() => {
    if (!live) return undefined
    let isBack = false
    const reload = () => void client.invalidateQueries({ queryKey: LOGS })
    const end = followLogs(view, {
      onOpen(again) {
        isBack = again
        if (!again) setState(undefined)
        // The list may be older than the subscription; on a reconnect the server sends what was missed.
        if (!again) reload()
      },
      onLost(refused) {
        setState({ lost: true })
        // An expired session is detected by the list, as everywhere.
        if (refused) reload()
      },
      onMessage(fresh) {
        const { queryKey } = logList(view)(0)
        const shown = client.getQueryData(queryKey)
        const unseen = shown && { ...fresh, rows: unseenRows(shown, fresh) }
        // "Restored" is shown until something new arrives; a first connection is not mentioned.
        if (isBack) setState({ lost: false, missed: unseen?.rows.length ?? 0, reloaded: fresh.reload })
        else if (fresh.rows.length > 0) setState(undefined)
        isBack = false
        if (fresh.reload) return reload()
        if (shown === undefined || unseen === undefined || (fresh.rows.length === 0 && fresh.skipped === 0)) return
        client.setQueryData(queryKey, withFresh(shown, unseen))
        client.setQueryData(
          logStatistic(view).queryKey,
          (sum) => sum && { ...sum, quota: sum.quota + freshQuota(unseen, view.filter.type) },
        )
        // A pending response may be older.
        if (client.isFetching({ queryKey: LOGS }) > 0) reload()
      },
    })
    return () => {
      setState(undefined)
      end()
    }
  }, [client, live, JSON.stringify(view)])

  return state
}
