import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useList } from '../../api/use-list.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { useListPage } from '../../lib/lists/use-list-page.ts'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { modelsText } from '../../text/models.ts'
import { useText } from '../../text/text.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { IconCoin } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { GroupSelect } from './group-select.tsx'
import { modelColumns } from './model-columns.tsx'
import { modelPrices } from './queries.ts'

const route = getRouteApi('/model')

/** The models that the user may call, and what they cost; for administrators, those of any group. */
export function ModelsPage() {
  const text = useText(modelsText)
  const money = useMoney()
  const isAdmin = useIsAdmin()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const place = useListPage(search, navigate)
  const { keyword } = place.filter
  const group = (isAdmin && search.group) || ''
  const rows = place.size.value
  const list = useList(modelPrices({ keyword, group }, rows), place.page, rows)
  const [uncopied, setUncopied] = useState<string>()
  const columns = useMemo(() => modelColumns({ text, money, isAdmin }), [text, money, isAdmin])
  return (
    <Page
      summary={list.data && (group === '' ? text.summary(list.data.total) : text.summaryOf(list.data.total, group))}
      filters={
        <>
          <SearchBox label={text.search} value={keyword} manual={uncopied} onSearch={place.search} />
          {isAdmin && (
            <GroupSelect
              group={group}
              onChange={(chosen) => void navigate({ search: { keyword: search.keyword, group: chosen } })}
            />
          )}
        </>
      }
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        actions={({ model }) => (
          <CopyButton value={model} label={text.copyOf(model)} done={text.copied} manual={setUncopied} />
        )}
        page={place.page}
        onPage={place.toPage}
        size={place.size}
        empty={
          keyword === '' ? (
            <EmptyState
              icon={<IconCoin size={32} stroke={1.5} />}
              title={text.empty}
              help={group !== '' ? text.emptyOf(group) : isAdmin ? text.emptyAdmin : text.emptyHelp}
              action={isAdmin && <ButtonLink to="/channel/add">{text.addChannel}</ButtonLink>}
            />
          ) : (
            <NothingFound />
          )
        }
      />
    </Page>
  )
}
