import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditEvent } from '@tollgate/contract'
import { useMemo } from 'react'
import { useList } from '../../api/use-list.ts'
import { nowSeconds } from '../../lib/format/time.ts'
import { useListPage } from '../../lib/lists/use-list-page.ts'
import { auditText } from '../../text/audit.ts'
import { useText } from '../../text/text.ts'
import { confirm } from '../../ui/feedback/dialogs.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { IconHistory } from '../../ui/layout/icons.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { auditColumns } from './audit-columns.tsx'
import { countFilters, toAuditFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { auditEvents, useUndo } from './queries.ts'
import { undoOf } from './undo.ts'

const route = getRouteApi('/audit')

/** What administrators have changed, and a way back. */
export function AuditPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const place = useListPage(search, navigate)
  const rows = place.size.value
  const list = useList(auditEvents(toAuditFilter(search, nowSeconds()), rows), place.page, rows)
  const text = useText(auditText)
  const columns = useMemo(() => auditColumns(text), [text])
  return (
    <Page
      summary={list.data && text.summary(list.data.total)}
      filters={
        <>
          <SearchBox label={text.search} value={place.filter.keyword} onSearch={place.search} />
          <AuditFilters search={search} onSearch={(next) => void navigate({ search: next })} />
        </>
      }
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        actions={(event) => <UndoButton event={event} />}
        page={place.page}
        onPage={place.toPage}
        size={place.size}
        empty={
          place.filter.keyword === '' && countFilters(search) === 0 ? (
            <EmptyState icon={<IconHistory size={32} stroke={1.5} />} title={text.empty} help={text.emptyHelp} />
          ) : (
            <NothingFound />
          )
        }
      />
    </Page>
  )
}

function UndoButton({ event }: { event: AuditEvent }) {
  const text = useText(auditText)
  const undo = useUndo()
  const change = undoOf(event)
  if (change === undefined) return undefined
  const { target, target_name } = event
  const named = target_name === '' ? target : `${target_name} (${target})`
  const askAndUndo = async () => {
    const question = { title: text.undoAsk(named), help: text.undoHelp, confirmLabel: text.undo }
    if (await confirm(question)) undo.mutate(change, { onSuccess: () => toast.success(text.undone) })
  }
  return (
    <Button size="compact-xs" variant="default" aria-label={text.undoOf(target)} onClick={() => void askAndUndo()}>
      {text.undo}
    </Button>
  )
}
