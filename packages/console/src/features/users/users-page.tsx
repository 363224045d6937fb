import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useList } from '../../api/use-list.ts'
import { pageIndex } from '../../lib/list-search.ts'
import { useMoney } from '../../lib/money.tsx'
import { commonText } from '../../text/common.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { IconUserPlus, IconUsers } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { userList } from './queries.ts'
import { UserActions } from './user-actions.tsx'
import { userColumns } from './user-columns.tsx'

const route = getRouteApi('/user')

export function UsersPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { keyword = '', order = '' } = search
  const page = pageIndex(search)
  const list = useList(userList({ keyword, order }), page)
  const text = useText(usersText)
  const common = useText(commonText)
  const labels = useText(labelsText)
  const money = useMoney()
  const columns = useMemo(() => userColumns({ text, labels, money }), [text, labels, money])
  const orders = [
    { value: '', label: common.sortDefault },
    { value: 'quota', label: text.sortQuota },
    { value: 'used_quota', label: text.sortUsed },
    { value: 'request_count', label: text.sortRequests },
  ] as const

  const sort = (wanted: string) => {
    const chosen = orders.find(({ value }) => value === wanted)?.value
    void navigate({ search: { keyword: search.keyword, order: chosen || undefined } })
  }

  return (
    <Page
      summary={list.data && text.summary(list.data.total)}
      action={
        <ButtonLink to="/user/add" leftSection={<IconUserPlus size={16} />}>
          {text.add}
        </ButtonLink>
      }
      filters={
        <>
          <SearchBox
            label={text.search}
            value={keyword}
            onSearch={(word) => void navigate({ search: { ...search, page: undefined, keyword: word || undefined } })}
          />
          <NativeSelect
            aria-label={common.sort}
            value={order}
            data={[...orders]}
            onChange={({ currentTarget }) => sort(currentTarget.value)}
          />
        </>
      }
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        actions={(user) => <UserActions user={user} />}
        page={page}
        onPage={(next) => void navigate({ search: { ...search, page: next === 0 ? undefined : next + 1 } })}
        order={order}
        onOrder={sort}
        empty={
          keyword === '' ? (
            <EmptyState
              icon={<IconUsers size={32} stroke={1.5} />}
              title={text.empty}
              help={text.emptyHelp}
              action={<ButtonLink to="/user/add">{text.add}</ButtonLink>}
            />
          ) : (
            <NothingFound />
          )
        }
      />
    </Page>
  )
}
