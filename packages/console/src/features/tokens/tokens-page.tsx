import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useList } from '../../api/use-list.ts'
import { pageIndex } from '../../lib/list-search.ts'
import { useMoney } from '../../lib/money.tsx'
import { commonText } from '../../text/common.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { IconKey, IconPlus } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { tokenList, useSetTokenStatus } from './queries.ts'
import { TokenActions } from './token-actions.tsx'
import { tokenColumns } from './token-columns.tsx'

const route = getRouteApi('/token')

export function TokensPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { keyword = '', order = '' } = search
  const page = pageIndex(search)
  const list = useList(tokenList({ keyword, order }), page)
  const setStatus = useSetTokenStatus()
  const [uncopied, setUncopied] = useState<string>()
  const text = useText(tokensText)
  const common = useText(commonText)
  const labels = useText(labelsText)
  const money = useMoney()
  const columns = useMemo(
    () => tokenColumns({ text, labels, money, onToggle: setStatus.mutate }),
    [text, labels, money, setStatus.mutate],
  )
  const sorts = [
    { value: '', label: common.sortDefault },
    { value: 'remain_quota', label: text.sortRemain },
    { value: 'used_quota', label: text.sortUsed },
  ] as const

  const sort = (wanted: string) => {
    const chosen = sorts.find(({ value }) => value === wanted)?.value
    void navigate({ search: { keyword: search.keyword, order: chosen || undefined } })
  }

  return (
    <Page
      summary={list.data && text.summary(list.data.total)}
      action={
        <ButtonLink to="/token/add" leftSection={<IconPlus size={16} />}>
          {text.add}
        </ButtonLink>
      }
      filters={
        <>
          <SearchBox
            label={text.search}
            value={keyword}
            manual={uncopied}
            onSearch={(word) => void navigate({ search: { order: search.order, keyword: word || undefined } })}
          />
          <NativeSelect
            aria-label={common.sort}
            value={order}
            data={[...sorts]}
            onChange={({ currentTarget }) => sort(currentTarget.value)}
          />
        </>
      }
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        actions={(token) => <TokenActions token={token} onUncopied={setUncopied} />}
        page={page}
        onPage={(next) => void navigate({ search: { ...search, page: next === 0 ? undefined : next + 1 } })}
        order={order}
        onOrder={sort}
        empty={
          keyword === '' ? (
            <EmptyState
              icon={<IconKey size={32} stroke={1.5} />}
              title={text.empty}
              help={text.emptyHelp}
              action={<ButtonLink to="/token/add">{text.add}</ButtonLink>}
            />
          ) : (
            <NothingFound />
          )
        }
      />
    </Page>
  )
}
