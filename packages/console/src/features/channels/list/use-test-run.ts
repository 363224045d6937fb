import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { LIST, testProgress } from '../queries.ts'

/** Follows a test of many channels: the list shows each result as it arrives, and the end is announced. */
export function useTestRun() {
  const text = useText(channelsText)
  const client = useQueryClient()
  const [watching, setWatching] = useState(false)
  const { data: progress } = useQuery({ ...testProgress, enabled: watching })
  const done = progress?.done

  useEffect(() => {
    if (done !== undefined) void client.invalidateQueries({ queryKey: LIST })
  }, [client, done])

  useEffect(() => {
    if (!watching || progress === undefined || progress.running) return
    setWatching(false)
    toast.notice(text.testsDone(progress))
  }, [watching, progress, text])

  return {
    /** Undefined while no test runs. */
    progress: watching ? progress : undefined,
    watch: () => {
      // The result of an earlier run would look like the end of this one.
      client.removeQueries({ queryKey: testProgress.queryKey })
      setWatching(true)
    },
  }
}
