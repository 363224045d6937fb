import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ModelListChange } from '@tollgate/contract'
import { useMemo, useState } from 'react'
import { useList } from '../../../api/use-list.ts'
import { formatExact } from '../../../lib/format/numbers.ts'
import { pageIndex, pageParam } from '../../../lib/lists/list-search.ts'
import { useSizedPages } from '../../../lib/lists/use-sized-pages.ts'
import { useContractText } from '../../../text/contract-text.ts'
import { modelListsText } from '../../../text/model-lists.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { IconButton } from '../../../ui/layout/icon-button.tsx'
import { IconListSearch } from '../../../ui/layout/icons.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { EmptyState } from '../../../ui/table/empty-state.tsx'
import { useSelectedRows } from '../../../ui/table/row-selection.ts'
import { SelectionBar } from '../../../ui/table/selection-bar.tsx'
import { AcceptPreview } from './accept-preview.tsx'
import { changeOf, isNothing } from './list-changes.ts'
import { modelListColumns } from './model-list-columns.tsx'
import { modelListPage, useIgnore } from './queries.ts'
import { ReviewDialog } from './review-dialog.tsx'

const route = getRouteApi('/channel/models')

/** Channels whose provider's model list changed, to accept or ignore, one by one or together. */
export function ModelListsPage() {
  const text = useText(modelListsText)
  const inLanguage = useContractText()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const { page, pageSize, table } = useSizedPages(
    pageIndex(search),
    (next) => void navigate({ search: { ...search, page: pageParam(next) } }),
  )
  const list = useList(modelListPage(pageSize), page, pageSize)
  const shown = list.data?.rows ?? []
  const rows = useSelectedRows(shown.map(({ id }) => id))
  const [accepting, setAccepting] = useState<ModelListChange[]>()
  const columns = useMemo(() => modelListColumns(text, inLanguage), [text, inLanguage])
  const ignore = useIgnore()
  const selected = shown.filter(({ id }) => rows.selected.has(id))
  const changes = selected.map(changeOf).filter((change) => !isNothing(change))
  const review = (channel: number | undefined) => void navigate({ search: { ...search, channel } })

  const ignoreSelected = () =>
    ignore.mutate(changes, {
      onSuccess: () => {
        toast.success(text.ignored)
        rows.clear()
      },
    })

  return (
    <Page summary={list.data && text.summary(formatExact(list.data.total))}>
      {selected.length > 0 && (
        <SelectionBar
          label={text.decide}
          selected={text.selected(formatExact(selected.length))}
          selectNone={text.selectNone}
          onClear={rows.clear}
        >
          <Button
            size="xs"
            variant="default"
            disabled={changes.length === 0}
            loading={ignore.isPending}
            onClick={ignoreSelected}
          >
            {text.ignoreAll}
          </Button>
          <Button size="xs" disabled={changes.length === 0} onClick={() => setAccepting(changes)}>
            {text.acceptAll}
          </Button>
        </SelectionBar>
      )}
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        {...table}
        selection={{ ...rows.boxes, label: ({ name }) => text.select(name), pageLabel: text.selectPage }}
        actions={({ id, name }) => (
          <IconButton label={text.review(name)} onClick={() => review(id)}>
            <IconListSearch size={16} />
          </IconButton>
        )}
        empty={
          <EmptyState
            icon={<IconListSearch size={32} stroke={1.5} />}
            title={text.empty}
            help={text.emptyHelp}
            action={
              <ButtonLink to="/setting" search={{ tab: 'operation' }} variant="default">
                {text.settings}
              </ButtonLink>
            }
          />
        }
      />
      {search.channel !== undefined && (
        <ReviewDialog key={search.channel} id={search.channel} onClose={() => review(undefined)} />
      )}
      {accepting !== undefined && (
        <Dialog title={text.accept} size="lg" onClose={() => setAccepting(undefined)}>
          <AcceptPreview
            changes={accepting}
            onBack={() => setAccepting(undefined)}
            onDone={() => {
              setAccepting(undefined)
              rows.clear()
            }}
          />
        </Dialog>
      )}
    </Page>
  )
}
