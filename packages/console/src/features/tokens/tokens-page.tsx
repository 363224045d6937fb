import { Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useList } from '../../api/use-list.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { isLimited, limitsOf } from '../../lib/format/rate-limits.ts'
import { useListPage } from '../../lib/lists/use-list-page.ts'
import { useIsAdmin, useSessionUser } from '../../lib/session/session-user.ts'
import { keyActivityText } from '../../text/key-activity.ts'
import { limitsText } from '../../text/limits.ts'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'
import { IconKey, IconPlus } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { ListScreen } from '../../ui/table/list-screen.tsx'
import { tokenActivity, tokenList, useSetTokenStatus } from './queries.ts'
import { TokenActions } from './token-actions.tsx'
import { tokenColumns } from './token-columns.tsx'

const route = getRouteApi('/token')

export function TokensPage() {
  const place = useListPage(route.useSearch(), route.useNavigate())
  const list = useList(tokenList(place.filter), place.page)
  const setStatus = useSetTokenStatus()
  const [uncopied, setUncopied] = useState<string>()
  const text = useText(tokensText)
  const words = useText(keyActivityText)
  const limits = useText(limitsText)
  const money = useMoney()
  const anyLimited = list.data?.rows.some((token) => isLimited(limitsOf(token))) ?? false
  const admin = useIsAdmin()
  const self = useSessionUser()?.username
  // An administrator's log has the calls of everybody.
  const owner = admin ? self : undefined
  const ids = list.data?.rows.map(({ id }) => id) ?? []
  const known = useQuery({ ...tokenActivity(ids), placeholderData: keepPreviousData }).data
  const activity = useMemo(() => new Map(known?.map((one) => [one.id, one])), [known])
  const columns = useMemo(
    () => tokenColumns({ text, words, limits, anyLimited, activity, money, owner, onToggle: setStatus.mutate }),
    [text, words, limits, anyLimited, activity, money, owner, setStatus.mutate],
  )

  return (
    <ListScreen
      {...{ place, list, columns, text, uncopied }}
      actions={(token) => <TokenActions token={token} owner={owner} onUncopied={setUncopied} />}
      icon={<IconKey size={32} stroke={1.5} />}
      orders={[
        { value: 'remain_quota', label: text.sortRemain },
        { value: 'used_quota', label: text.sortUsed },
      ]}
      add={(icon) => (
        <Group gap="xs" justify="flex-end">
          {icon && admin && (
            <ButtonLink to="/token/all" variant="default">
              {text.all}
            </ButtonLink>
          )}
          <ButtonLink to="/token/add" leftSection={icon && <IconPlus size={16} />}>
            {text.add}
          </ButtonLink>
        </Group>
      )}
    />
  )
}
