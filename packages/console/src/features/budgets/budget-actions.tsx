import { Text } from '@mantine/core'
import type { Budget } from '@tollgate/contract'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { budgetsText } from '../../text/budgets.ts'
import { useText } from '../../text/text.ts'
import { confirm } from '../../ui/feedback/dialogs.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { RemoveItem } from '../../ui/inputs/remove-item.tsx'
import { IconLink } from '../../ui/layout/icon-link.tsx'
import { IconPencil } from '../../ui/layout/icons.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { targetOf } from './budget-values.ts'
import { useRemoveBudget } from './queries.ts'

export function BudgetActions({ budget }: { budget: Budget }) {
  const text = useText(budgetsText)
  const admin = useIsAdmin()
  const remove = useRemoveBudget()
  const { id, scope, target, managed } = budget
  const name = targetOf(budget) || `#${target}`
  if (!admin && (managed || scope !== 'key')) {
    return (
      <Text size="xs" c="dimmed">
        {text.managed}
      </Text>
    )
  }

  const askAndRemove = async () => {
    const question = { title: text.removeAsk(name), help: text.removeHelp, confirmLabel: text.remove, danger: true }
    if (await confirm(question)) remove.mutate(id, { onSuccess: () => toast.success(text.removed) })
  }

  return (
    <RowActions
      label={text.moreOf(name)}
      menu={<RemoveItem onClick={() => void askAndRemove()}>{text.remove}</RemoveItem>}
    >
      <IconLink label={text.editOf(name)} to="/budget/edit/$id" params={{ id: String(id) }}>
        <IconPencil size={16} />
      </IconLink>
    </RowActions>
  )
}
