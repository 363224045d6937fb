import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditEvent } from '@tollgate/contract'
import { useMemo } from 'react'
import { useList } from '../../api/use-list.ts'
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
import { auditEvents, useUndo } from './queries.ts'
import { undoOf } from './undo.ts'

const route = getRouteApi('/audit')

/** What administrators have changed, and a way back. */
export function AuditPage() {
  const place = useListPage(route.useSearch(), route.useNavigate())
  const { keyword } = place.filter
  const list = useList(auditEvents(keyword), place.page)
  const text = useText(auditText)
  const columns = useMemo(() => auditColumns(text), [text])
  return (
    <Page
      summary={list.data && text.summary(list.data.total)}
      filters={<SearchBox label={text.search} value={keyword} onSearch={place.search} />}
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        actions={(event) => <UndoButton event={event} />}
        page={place.page}
        onPage={place.toPage}
        empty={
          keyword === '' ? (
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
  const { target } = event
  const askAndUndo = async () => {
    const question = { title: text.undoAsk(target), help: text.undoHelp, confirmLabel: text.undo }
    if (await confirm(question)) undo.mutate(change, { onSuccess: () => toast.success(text.undone) })
  }
  return (
    <Button size="compact-xs" variant="default" aria-label={text.undoOf(target)} onClick={() => void askAndUndo()}>
      {text.undo}
    </Button>
  )
}
