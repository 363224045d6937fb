import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { warnings } from '@tollgate/contract'
import { call } from '../../api/call.ts'
import { useFormRecord } from '../../api/use-form-record.ts'
import { changedMembers } from '../../lib/forms/changed-members.ts'
import { useBackToList } from '../../lib/lists/back-to-list.ts'
import { budgetsText } from '../../text/budgets.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useWarned } from '../../ui/feedback/use-warned.ts'
import { FormSkeleton } from '../../ui/inputs/form-skeleton.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { BudgetForm } from './budget-form.tsx'
import { newBudget, targetOf, toAmounts, toValues } from './budget-values.ts'
import { budgetById, useCreateBudget, useUpdateBudget } from './queries.ts'

const addRoute = getRouteApi('/budget/add')
const editRoute = getRouteApi('/budget/edit/$id')

export function BudgetAddPage() {
  const text = useText(budgetsText)
  const navigate = useNavigate()
  const create = useCreateBudget()
  const { scope = 'key', target = '' } = addRoute.useSearch()
  const { warned, isChecking } = useWarned()
  return (
    <BudgetForm
      initial={newBudget(scope, target)}
      creating
      saving={isChecking || create.isPending || create.isSuccess}
      onSave={(values) => {
        const { quota, ...amounts } = toAmounts(values)
        const body = { scope: values.scope, target: values.target, model: values.model, quota }
        warned({
          ask: () => call(warnings.budget, { body }),
          save: () =>
            create.mutate(
              { ...body, ...amounts },
              {
                onSuccess: () => {
                  toast.success(text.createdToast)
                  void navigate({ to: '/budget', ignoreBlocker: true })
                },
              },
            ),
        })
      }}
    />
  )
}

export function BudgetEditPage() {
  const text = useText(budgetsText)
  const common = useText(commonText)
  const id = Number(editRoute.useParams().id)
  const { data: budget, isError, error, refetch } = useFormRecord(budgetById(id))
  const update = useUpdateBudget()
  const leave = useBackToList('/budget')
  const { warned, isChecking } = useWarned()
  if (isError) {
    const back = <ButtonLink to="/budget">{common.backToList}</ButtonLink>
    return <LoadFailed error={error} onRetry={() => void refetch()} back={back} />
  }
  if (budget === undefined) return <FormSkeleton />
  return (
    <BudgetForm
      initial={toValues(budget)}
      targetName={targetOf(budget)}
      renewsAt={budget.renews_at}
      saving={isChecking || update.isPending || update.isSuccess}
      onSave={(values) => {
        const amounts = toAmounts(values)
        warned({
          ask: () => call(warnings.budget, { body: { id, quota: amounts.quota } }),
          save: () =>
            update.mutate(
              { id, ...changedMembers(toAmounts(toValues(budget)), amounts) },
              {
                onSuccess: () => {
                  toast.success(text.updatedToast)
                  leave({ saved: true })
                },
              },
            ),
        })
      }}
    />
  )
}
