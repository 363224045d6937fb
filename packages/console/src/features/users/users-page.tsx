import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useList } from '../../api/use-list.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { useListPage } from '../../lib/lists/use-list-page.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'
import { IconUserPlus, IconUsers } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { ListScreen } from '../../ui/table/list-screen.tsx'
import { userList } from './queries.ts'
import { UserActions } from './user-actions.tsx'
import { userColumns } from './user-columns.tsx'
import { UserFilters } from './user-filters.tsx'

const route = getRouteApi('/user')

export function UsersPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const place = useListPage(search, navigate)
  const { group, role, status } = search
  const filter = {
    ...(group !== undefined && { group }),
    ...(role !== undefined && { role }),
    ...(status !== undefined && { status }),
  }
  const rows = place.size.value
  const list = useList(userList({ ...place.filter, ...filter }, rows), place.page, rows)
  const text = useText(usersText)
  const labels = useText(labelsText)
  const money = useMoney()
  const columns = useMemo(() => userColumns({ text, labels, money }), [text, labels, money])

  return (
    <ListScreen
      {...{ place, list, columns, text }}
      sized
      actions={(user) => <UserActions user={user} />}
      icon={<IconUsers size={32} stroke={1.5} />}
      filters={{
        count: Object.keys(filter).length,
        fields: (
          <UserFilters
            filter={filter}
            onChange={(next) => void navigate({ search: { keyword: search.keyword, order: search.order, ...next } })}
          />
        ),
      }}
      orders={[
        { value: 'quota', label: text.sortQuota },
        { value: 'used_quota', label: text.sortUsed },
        { value: 'request_count', label: text.sortRequests },
      ]}
      add={(icon) => (
        <ButtonLink to="/user/add" leftSection={icon && <IconUserPlus size={16} />}>
          {text.add}
        </ButtonLink>
      )}
    />
  )
}
