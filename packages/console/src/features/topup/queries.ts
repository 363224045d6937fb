import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { LogType, logs, users } from '@tollgate/contract'
import { ApiError } from '../../api/api-error.ts'
import { call, callPage } from '../../api/call.ts'
import { describeFailure } from '../../api/failure.ts'
import { ownUser } from '../../api/own-user.ts'
import { useSend } from '../../api/use-send.ts'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import { textNow } from '../../text/text.ts'
import { topupText } from '../../text/topup.ts'
import { toast } from '../../ui/feedback/toast.ts'

export const recentTopUps = queryOptions({
  queryKey: ['logs', 'top-ups'],
  queryFn: () =>
    callPage(logs.listSelf, { query: { p: 0, type: LogType.topUp, start_timestamp: 0, end_timestamp: 0 } }),
})

/** Shows the new balance at once and then refetches it. */
export function useRedeem() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (key: string) => call(users.topUp, { body: { key } }),
    meta: { silent: true },
    onSuccess: (added) => {
      client.setQueryData(ownUser.queryKey, (user) => user && { ...user, quota: user.quota + added })
      void client.invalidateQueries({ queryKey: ownUser.queryKey })
      void client.invalidateQueries({ queryKey: recentTopUps.queryKey })
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) return
      // An invalid code is reported at its field.
      if (error instanceof ApiError && fieldErrors.offer(error)) return
      const { kind, message } = describeFailure(error)
      toast[kind](error instanceof ApiError ? message : textNow(topupText).failed)
    },
  })
}
