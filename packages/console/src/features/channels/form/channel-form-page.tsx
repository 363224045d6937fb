import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { warnings } from '@tollgate/contract'
import { call } from '../../../api/call.ts'
import { useEditBase, useFormRecord } from '../../../api/use-form-record.ts'
import { useBackToList } from '../../../lib/lists/back-to-list.ts'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import { LoadFailed } from '../../../ui/feedback/load-failed.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { useWarned } from '../../../ui/feedback/use-warned.ts'
import { FormSkeleton } from '../../../ui/inputs/form-skeleton.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { channelById, useCreateChannel, useUpdateChannel } from '../queries.ts'
import { toCheck, toEdit, toInput } from './channel-body.ts'
import { ChannelForm } from './channel-form.tsx'
import { NEW_CHANNEL, toValues } from './channel-values.ts'

const editRoute = getRouteApi('/channel/edit/$id')

export function ChannelAddPage() {
  const text = useText(channelsText)
  const create = useCreateChannel()
  const { warned, isChecking } = useWarned()
  const done = useDone()
  return (
    <ChannelForm
      initial={NEW_CHANNEL}
      saving={isChecking || create.isPending || create.isSuccess}
      onSave={(values) =>
        warned({
          ask: () => call(warnings.channel, { body: toCheck(values) }),
          save: () => create.mutate(toInput(values), { onSuccess: () => done.created(text.created) }),
        })
      }
    />
  )
}

export function ChannelEditPage() {
  const common = useText(commonText)
  const text = useText(channelsText)
  const id = Number(editRoute.useParams().id)
  const { data: channel, isError, error, refetch } = useFormRecord(channelById(id))
  const update = useUpdateChannel()
  const { withBase, onError } = useEditBase(channel)
  const { warned, isChecking } = useWarned()
  const done = useDone()
  if (isError) {
    const back = <ButtonLink to="/channel">{common.backToList}</ButtonLink>
    return <LoadFailed error={error} onRetry={() => void refetch()} back={back} />
  }
  if (channel === undefined) return <FormSkeleton />
  return (
    <ChannelForm
      key={id}
      initial={toValues(channel)}
      stored={channel}
      saving={isChecking || update.isPending || update.isSuccess}
      onSave={(values) =>
        warned({
          ask: () => call(warnings.channel, { body: { id, ...toCheck(values) } }),
          save: () =>
            update.mutate(withBase(toEdit(values, channel)), {
              onSuccess: () => done.updated(text.updated),
              onError,
            }),
        })
      }
    />
  )
}

/** An edited channel keeps its place in the list; a new one is at the top. */
function useDone() {
  const navigate = useNavigate()
  const leave = useBackToList('/channel')
  return {
    created: (message: string) => {
      toast.success(message)
      void navigate({ to: '/channel', ignoreBlocker: true })
    },
    updated: (message: string) => {
      toast.success(message)
      leave({ saved: true })
    },
  }
}
