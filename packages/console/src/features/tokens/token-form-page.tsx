import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { warnings } from '@tollgate/contract'
import { call } from '../../api/call.ts'
import { ownLimits } from '../../api/own-limits.ts'
import { tokenById } from '../../api/token-by-id.ts'
import { useFormRecord } from '../../api/use-form-record.ts'
import { isLimited, limitsOf } from '../../lib/format/rate-limits.ts'
import { useBackToList } from '../../lib/lists/back-to-list.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useWarned } from '../../ui/feedback/use-warned.ts'
import { FormSkeleton } from '../../ui/inputs/form-skeleton.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { useCreateToken, useUpdateToken } from './queries.ts'
import { TokenForm } from './token-form.tsx'
import { NEW_TOKEN, toCheck, toEdit, toInput, toValues } from './token-values.ts'

const editRoute = getRouteApi('/token/edit/$id')

export function TokenAddPage() {
  const text = useText(tokensText)
  const create = useCreateToken()
  const done = useDone()
  const { warned, isChecking } = useWarned()
  return (
    <TokenForm
      initial={NEW_TOKEN}
      creating
      saving={isChecking || create.isPending || create.isSuccess}
      onSave={(values) =>
        warned({
          ask: () => call(warnings.token, { body: toCheck(values) }),
          save: () => create.mutate(toInput(values), { onSuccess: () => done.created(text.createdToast) }),
        })
      }
    />
  )
}

export function TokenEditPage() {
  const common = useText(commonText)
  const text = useText(tokensText)
  const id = Number(editRoute.useParams().id)
  const { data: token, isError, error, refetch } = useFormRecord(tokenById(id, text.missing))
  const isLimitedNow = token !== undefined && isLimited(limitsOf(token))
  const limits = useQuery({ ...ownLimits, enabled: isLimitedNow })
  const update = useUpdateToken()
  const done = useDone()
  const { warned, isChecking } = useWarned()
  if (isError) {
    const back = <ButtonLink to="/token">{common.backToList}</ButtonLink>
    return <LoadFailed error={error} onRetry={() => void refetch()} back={back} />
  }
  if (token === undefined) return <FormSkeleton />
  const uses = limits.data?.limits.filter(({ token_id }) => token_id === id) ?? []
  return (
    <TokenForm
      initial={toValues(token)}
      adminLimits={token.admin_rate_limits}
      uses={uses}
      saving={isChecking || update.isPending || update.isSuccess}
      onSave={(values) =>
        warned({
          ask: () => call(warnings.token, { body: { id, ...toCheck(values) } }),
          save: () =>
            update.mutate({ id, ...toEdit(values, token) }, { onSuccess: () => done.updated(text.updatedToast) }),
        })
      }
    />
  )
}

/** An edited token keeps its place in the list; a new one is at the top. */
function useDone() {
  const navigate = useNavigate()
  const leave = useBackToList('/token')
  return {
    created: (message: string) => {
      toast.success(message)
      void navigate({ to: '/token', ignoreBlocker: true })
    },
    updated: (message: string) => {
      toast.success(message)
      leave({ saved: true })
    },
  }
}
