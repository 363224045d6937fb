import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { BudgetScope } from '@tollgate/contract'
import { useMemo } from 'react'
import { useList } from '../../api/use-list.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { pageIndex, pageParam } from '../../lib/lists/list-search.ts'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { budgetsText } from '../../text/budgets.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { FilterChip } from '../../ui/inputs/filter-chip.tsx'
import { IconPigMoney, IconPlus } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { BudgetActions } from './budget-actions.tsx'
import { budgetColumns } from './budget-columns.tsx'
import { targetOf } from './budget-values.ts'
import { budgetList } from './queries.ts'

const route = getRouteApi('/budget')

/** All budgets for administrators; for other users those that apply to them. */
export function BudgetsPage() {
  const text = useText(budgetsText)
  const labels = useText(labelsText)
  const admin = useIsAdmin()
  const money = useMoney()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const { scope = '', target = '' } = search
  const page = pageIndex(search)
  const list = useList(budgetList({ everyone: admin, scope, target }), page)
  const columns = useMemo(() => budgetColumns({ text, money }), [text, money])
  // The name is in the rows; without one the id, which for a group is its name.
  const [first] = list.data?.rows ?? []
  const targetName = (first && targetOf(first)) || (scope === 'group' ? target : `#${target}`)
  const add = (icon: boolean) => (
    <ButtonLink
      to="/budget/add"
      search={{ scope: scope || undefined, target: target || undefined }}
      leftSection={icon && <IconPlus size={16} />}
    >
      {text.add}
    </ButtonLink>
  )
  return (
    <Page
      summary={list.data && text.summary(list.data.total)}
      action={add(true)}
      filters={
        admin && (
          <>
            <NativeSelect
              aria-label={text.scope}
              value={scope}
              data={[
                { value: '', label: text.everyScope },
                ...BudgetScope.options.map((value) => ({ value, label: text.scopes[value] })),
              ]}
              onChange={({ currentTarget }) =>
                void navigate({ search: { scope: BudgetScope.safeParse(currentTarget.value).data } })
              }
            />
            {target !== '' && (
              <FilterChip
                label={labels.filterBy(text.target, targetName)}
                onRemove={() => void navigate({ search: { scope: search.scope } })}
              />
            )}
          </>
        )
      }
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        actions={(budget) => <BudgetActions budget={budget} />}
        page={page}
        onPage={(next) => void navigate({ search: { ...search, page: pageParam(next) } })}
        empty={
          <EmptyState
            icon={<IconPigMoney size={32} stroke={1.5} />}
            title={text.empty}
            help={admin ? text.emptyHelp : text.emptyOwnHelp}
            action={add(false)}
          />
        }
      />
    </Page>
  )
}
