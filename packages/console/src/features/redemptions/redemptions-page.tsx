import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { RedemptionStatus } from '@tollgate/contract'
import { useMemo, useState } from 'react'
import { useList } from '../../api/use-list.ts'
import { redemptionStatusLabel } from '../../lib/format/labels.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { useListPage } from '../../lib/lists/use-list-page.ts'
import { labelsText } from '../../text/labels.ts'
import { redemptionsText } from '../../text/redemptions.ts'
import { useText } from '../../text/text.ts'
import { IconPlus, IconTicket } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { ListScreen } from '../../ui/table/list-screen.tsx'
import { redemptionList, useSetRedemptionStatus } from './queries.ts'
import { RedemptionActions } from './redemption-actions.tsx'
import { redemptionColumns } from './redemption-columns.tsx'

const route = getRouteApi('/redemption')

export function RedemptionsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const place = useListPage(search, navigate)
  const { status = 0 } = search
  const rows = place.size.value
  const list = useList(redemptionList({ keyword: place.filter.keyword, status }, rows), place.page, rows)
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
    <ListScreen
      {...{ place, list, columns, text, uncopied }}
      sized
      actions={(redemption) => <RedemptionActions redemption={redemption} onUncopied={setUncopied} />}
      filters={{
        count: status === 0 ? 0 : 1,
        fields: (
          <NativeSelect
            aria-label={text.status}
            value={String(status)}
            data={[
              { value: '0', label: text.anyStatus },
              ...Object.values(RedemptionStatus).map((each) => ({
                value: String(each),
                label: redemptionStatusLabel(each, labels).text,
              })),
            ]}
            onChange={({ currentTarget: { value } }) =>
              void navigate({ search: { ...search, page: undefined, status: Number(value) || undefined } })
            }
          />
        ),
      }}
      icon={<IconTicket size={32} stroke={1.5} />}
      add={(icon) => (
        <ButtonLink to="/redemption/add" leftSection={icon && <IconPlus size={16} />}>
          {text.add}
        </ButtonLink>
      )}
    />
  )
}
