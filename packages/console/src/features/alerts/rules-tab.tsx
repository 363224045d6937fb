import { useQuery } from '@tanstack/react-query'
import type { AlertOwner, AlertRule } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { useMoney } from '../../lib/format/money.tsx'
import { alertsText } from '../../text/alerts.ts'
import { useText } from '../../text/text.ts'
import { confirm } from '../../ui/feedback/dialogs.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { RemoveItem } from '../../ui/inputs/remove-item.tsx'
import { IconButton } from '../../ui/layout/icon-button.tsx'
import { IconBell, IconPencil } from '../../ui/layout/icons.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { onePage } from './one-page.ts'
import { alertDestinations, alertRules, useRemoveRule } from './queries.ts'
import { ruleColumns } from './rule-columns.tsx'

interface RulesTabProps {
  owner: AlertOwner
  page: number
  onPage: (page: number) => void
  onEdit: (rule: AlertRule) => void
  /** The button that adds a rule, or the destination that it needs first. */
  add: ReactNode
}

export function RulesTab({ owner, page, onPage, onEdit, add }: RulesTabProps) {
  const text = useText(alertsText)
  const money = useMoney()
  const rules = useQuery(alertRules(owner))
  const { data: destinations = [] } = useQuery(alertDestinations(owner))
  const remove = useRemoveRule()

  const askAndRemove = async ({ id, kind }: AlertRule) => {
    const title = text.removeRuleAsk(text.kinds[kind])
    const question = { title, help: text.removeRuleHelp, confirmLabel: text.removeRule, danger: true }
    if (await confirm(question)) remove.mutate(id, { onSuccess: () => toast.success(text.ruleRemoved) })
  }

  return (
    <DataTable
      label={text.rules}
      list={onePage(rules, page)}
      columns={ruleColumns({ text, money, destinations })}
      page={page}
      onPage={onPage}
      actions={(rule) => (
        <RowActions
          label={text.moreOf(text.kinds[rule.kind])}
          menu={<RemoveItem onClick={() => void askAndRemove(rule)}>{text.removeRule}</RemoveItem>}
        >
          <IconButton label={text.editRuleOf(text.kinds[rule.kind])} onClick={() => onEdit(rule)}>
            <IconPencil size={16} />
          </IconButton>
        </RowActions>
      )}
      empty={
        <EmptyState
          icon={<IconBell size={32} stroke={1.5} />}
          title={destinations.length === 0 ? text.destinationFirst : text.noRules}
          help={destinations.length === 0 ? text.destinationFirstHelp : text.noRulesHelp}
          action={add}
        />
      }
    />
  )
}
