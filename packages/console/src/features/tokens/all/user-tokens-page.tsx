import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { TokenStatusFilter } from '@tollgate/contract'
import { useMemo } from 'react'
import { useList } from '../../../api/use-list.ts'
import { useMoney } from '../../../lib/format/money.tsx'
import { nowSeconds } from '../../../lib/format/time.ts'
import { pageIndex, pageParam } from '../../../lib/lists/list-search.ts'
import { useRowsPerPage } from '../../../lib/lists/rows-per-page.ts'
import type { UserTokenSearch } from '../../../lib/lists/user-token-search.ts'
import { useSessionUser } from '../../../lib/session/session-user.ts'
import { commonText } from '../../../text/common.ts'
import { keyActivityText } from '../../../text/key-activity.ts'
import { limitsText } from '../../../text/limits.ts'
import { useText } from '../../../text/text.ts'
import { tokensText } from '../../../text/tokens.ts'
import { userTokensText } from '../../../text/user-tokens.ts'
import { SearchBox } from '../../../ui/inputs/search-box.tsx'
import { IconKey } from '../../../ui/layout/icons.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { EmptyState } from '../../../ui/table/empty-state.tsx'
import { NothingFound } from '../../../ui/table/nothing-found.tsx'
import { userTokenList } from './queries.ts'
import { UserTokenActions } from './user-token-actions.tsx'
import { userTokenColumns } from './user-token-columns.tsx'
import { countFilters, toFilter } from './user-token-filter.ts'
import { UserTokenFilters } from './user-token-filters.tsx'

const route = getRouteApi('/token/all')

/** The keys of all users, for administrators. */
export function UserTokensPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: UserTokenSearch) => void navigate({ search: next })
  const page = pageIndex(search)
  const size = useRowsPerPage(() => go({ ...search, page: undefined }))
  const list = useList(userTokenList(toFilter(search, nowSeconds()), size.value), page, size.value)
  const text = useText(userTokensText)
  const tokens = useText(tokensText)
  const activity = useText(keyActivityText)
  const limits = useText(limitsText)
  const common = useText(commonText)
  const money = useMoney()
  const actor = useSessionUser()
  const endsFirst = search.status === TokenStatusFilter.ending || search.status === TokenStatusFilter.expired
  const columns = useMemo(
    () => userTokenColumns({ actor, text, tokens, activity, limits, money, endsFirst }),
    [actor, text, tokens, activity, limits, money, endsFirst],
  )
  const sort = (order: string) =>
    go({ ...search, page: undefined, order: ORDERS.find((known) => known === order) ?? undefined })

  return (
    <Page
      summary={list.data && text.summary(list.data.total)}
      action={
        <ButtonLink to="/token" variant="default">
          {text.own}
        </ButtonLink>
      }
      filters={
        <>
          <SearchBox
            label={text.search}
            value={search.keyword ?? ''}
            onSearch={(word) => go({ ...search, page: undefined, keyword: word || undefined })}
          />
          <NativeSelect
            aria-label={common.sort}
            value={search.order ?? ''}
            data={[
              { value: '', label: common.sortDefault },
              { value: 'accessed_time', label: text.sortUse },
              { value: 'used_quota', label: text.sortUsed },
            ]}
            onChange={({ currentTarget }) => sort(currentTarget.value)}
          />
          <UserTokenFilters search={search} onSearch={go} />
        </>
      }
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        actions={(token) => <UserTokenActions token={token} />}
        page={page}
        size={size}
        onPage={(next) => go({ ...search, page: pageParam(next) })}
        order={search.order ?? ''}
        onOrder={sort}
        empty={
          search.keyword === undefined && countFilters(search) === 0 ? (
            <EmptyState icon={<IconKey size={32} stroke={1.5} />} title={text.empty} help={text.emptyHelp} />
          ) : (
            <NothingFound />
          )
        }
      />
    </Page>
  )
}

const ORDERS = ['accessed_time', 'used_quota'] as const
