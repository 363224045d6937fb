import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Channel, ChannelStatus } from '@tollgate/contract'
import { useMemo, useState } from 'react'
import type { ListPage } from '../../../api/call.ts'
import { useList } from '../../../api/use-list.ts'
import { useMoney } from '../../../lib/format/money.tsx'
import { countFilters, toFilter } from '../../../lib/lists/channel-search.ts'
import { pageIndex, pageParam } from '../../../lib/lists/list-search.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channels.ts'
import { SearchBox } from '../../../ui/inputs/search-box.tsx'
import { IconPlus, IconRoute } from '../../../ui/layout/icons.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { ColumnsMenu } from '../../../ui/table/columns-menu.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { EmptyState } from '../../../ui/table/empty-state.tsx'
import { NothingFound } from '../../../ui/table/nothing-found.tsx'
import { useSelectedRows } from '../../../ui/table/row-selection.ts'
import { ChannelHint } from '../form/channel-hint.tsx'
import { channelList, channelOutcomes, useChangeChannel } from '../queries.ts'
import { AllChannelsMenu } from './all-channels-menu.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { ChannelActions } from './channel-actions.tsx'
import { channelColumns } from './channel-columns.tsx'
import { ChannelFilters } from './channel-filters.tsx'
import { CHOICES, PAGE_SIZES, useChannelView } from './channel-view.ts'
import { useTestRun } from './use-test-run.ts'

const route = getRouteApi('/channel')

export function ChannelsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const page = pageIndex(search)
  const { choices, toggle, pageSize, resize } = useChannelView()
  const list = useList(channelList(toFilter(search), pageSize), page, pageSize)
  const outcomes = useQuery({ ...channelOutcomes, enabled: choices.has('failures') }).data
  const tests = useTestRun()
  const change = useChangeChannel()
  const text = useText(channelsText)
  const filter = toFilter(search)
  const rows = useSelectedRows(list.data?.rows.map(({ id }) => id) ?? [])
  // The filter under which all matches were selected; another filter selects other channels.
  const [matching, setMatching] = useState<string>()
  const isMatching = matching === JSON.stringify(filter)
  const words = useText(channelListText)
  const money = useMoney()
  const columns = useMemo(
    () => channelColumns({ text, words, choices, money, outcomes, onChange: change.mutate }),
    [text, words, choices, money, outcomes, change.mutate],
  )

  const clearSelection = () => {
    rows.clear()
    setMatching(undefined)
  }

  return (
    <Page
      summary={tests.progress ? text.testing(tests.progress) : list.data && summary(list.data, text)}
      action={
        <ButtonLink to="/channel/add" leftSection={<IconPlus size={16} />}>
          {text.add}
        </ButtonLink>
      }
      filters={
        <>
          <SearchBox
            label={text.search}
            value={search.keyword ?? ''}
            onSearch={(word) => void navigate({ search: { ...search, page: undefined, keyword: word || undefined } })}
          />
          <AllChannelsMenu filter={filter} onTesting={tests.watch} />
          <ColumnsMenu offered={CHOICES} chosen={choices} text={words} onToggle={toggle} />
          <ChannelFilters search={search} onSearch={(next) => void navigate({ search: next })} />
        </>
      }
    >
      <ChannelHint />
      {(isMatching || rows.selected.size > 0) && (
        <BulkBar
          selection={isMatching ? { filter } : { ids: [...rows.selected] }}
          count={isMatching ? (list.data?.total ?? 0) : rows.selected.size}
          matching={isMatching || rows.selected.size >= (list.data?.total ?? 0) ? undefined : list.data?.total}
          onSelectMatching={() => setMatching(JSON.stringify(filter))}
          onClear={clearSelection}
        />
      )}
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        selection={{
          isSelected: (id) => isMatching || rows.selected.has(id),
          label: ({ name }) => words.select(name),
          pageLabel: words.selectPage,
          // One box that is taken away from "all that match" leaves the boxes of the rows.
          onToggle: (id, range) => (isMatching ? clearSelection() : rows.toggle(id, range)),
          onTogglePage: () => (isMatching ? clearSelection() : rows.togglePage()),
        }}
        actions={(channel) => <ChannelActions channel={channel} />}
        page={page}
        size={{
          value: pageSize,
          choices: PAGE_SIZES,
          onChange(rows) {
            resize(rows)
            void navigate({ search: { ...search, page: undefined } })
          },
        }}
        onPage={(next) => void navigate({ search: { ...search, page: pageParam(next) } })}
        empty={
          search.keyword === undefined && countFilters(search) === 0 ? (
            <EmptyState
              icon={<IconRoute size={32} stroke={1.5} />}
              title={text.empty}
              help={text.emptyHelp}
              action={<ButtonLink to="/channel/add">{text.add}</ButtonLink>}
            />
          ) : (
            <NothingFound />
          )
        }
      />
    </Page>
  )
}

/** The server counts all rows, not the enabled ones: of a list of many pages only the shown ones are known. */
function summary({ rows, total }: ListPage<Channel>, text: Words<typeof zh>) {
  const enabled = rows.filter(({ status }) => status === ChannelStatus.enabled).length
  return rows.length === total ? text.summary(enabled, total) : text.summaryPage(enabled, rows.length, total)
}
