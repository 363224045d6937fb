import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useList } from '../../api/use-list.ts'
import { pageIndex } from '../../lib/list-search.ts'
import { useMoney } from '../../lib/money.tsx'
import { labelsText } from '../../text/labels.ts'
import { redemptionsText } from '../../text/redemptions.ts'
import { useText } from '../../text/text.ts'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { IconPlus, IconTicket } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { redemptionList, useSetRedemptionStatus } from './queries.ts'
import { RedemptionActions } from './redemption-actions.tsx'
import { redemptionColumns } from './redemption-columns.tsx'

const route = getRouteApi('/redemption')

export function RedemptionsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { keyword = '' } = search
  const page = pageIndex(search)
  const list = useList(redemptionList(keyword), page)
  const setStatus = useSetRedemptionStatus()
  const [uncopied, setUncopied] = useState<string>()
  const text = useText(redemptionsText)
  const labels = useText(labelsText)
  const money = useMoney()
  const columns = useMemo(
    () => redemptionColumns({ text, labels, money, onToggle: setStatus.mutate }),
    [text, labels, money, setStatus.mutate],
  )

  return (
    <Page
      summary={list.data && text.summary(list.data.total)}
      action={
        <ButtonLink to="/redemption/add" leftSection={<IconPlus size={16} />}>
          {text.add}
        </ButtonLink>
      }
      filters={
        <SearchBox
          label={text.search}
          value={keyword}
          manual={uncopied}
          onSearch={(word) => void navigate({ search: { keyword: word || undefined } })}
        />
      }
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        actions={(redemption) => <RedemptionActions redemption={redemption} onUncopied={setUncopied} />}
        page={page}
        onPage={(next) => void navigate({ search: { ...search, page: next === 0 ? undefined : next + 1 } })}
        empty={
          keyword === '' ? (
            <EmptyState
              icon={<IconTicket size={32} stroke={1.5} />}
              title={text.empty}
              help={text.emptyHelp}
              action={<ButtonLink to="/redemption/add">{text.add}</ButtonLink>}
            />
          ) : (
            <NothingFound />
          )
        }
      />
    </Page>
  )
}
