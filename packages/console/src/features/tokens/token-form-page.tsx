import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'
import { FormSkeleton } from '../../ui/form-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import { tokenById, useCreateToken, useUpdateToken } from './queries.ts'
import { TokenForm } from './token-form.tsx'
import { NEW_TOKEN, toInput, toValues } from './token-values.ts'

const editRoute = getRouteApi('/token/edit/$id')

export function TokenAddPage() {
  const text = useText(tokensText)
  const create = useCreateToken()
  const done = useDone()
  return (
    <TokenForm
      initial={NEW_TOKEN}
      saving={create.isPending}
      onSave={(values) => create.mutate(toInput(values), { onSuccess: () => done(text.createdToast) })}
    />
  )
}

export function TokenEditPage() {
  const text = useText(tokensText)
  const id = Number(editRoute.useParams().id)
  // The quota must be the one of this moment: the difference to it is what gets applied.
  const token = useQuery({ ...tokenById(id), staleTime: 0, gcTime: 0 })
  const update = useUpdateToken()
  const done = useDone()
  if (token.isError) return <LoadFailed onRetry={() => void token.refetch()} />
  if (token.data === undefined) return <FormSkeleton />
  const { remain_quota } = token.data
  return (
    <TokenForm
      initial={toValues(token.data)}
      saving={update.isPending}
      onSave={(values) =>
        update.mutate(
          { id, ...toInput(values), remain_quota_base: Math.max(0, remain_quota) },
          { onSuccess: () => done(text.updatedToast) },
        )
      }
    />
  )
}

function useDone() {
  const navigate = useNavigate()
  return (message: string) => {
    toast.success(message)
    void navigate({ to: '/token', ignoreBlocker: true })
  }
}
