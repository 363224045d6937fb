import { Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useList } from '../../api/use-list.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { formatTimestamp } from '../../lib/format/time.ts'
import { pageIndex, pageParam } from '../../lib/lists/list-search.ts'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { labelsText } from '../../text/labels.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { IconButton } from '../../ui/layout/icon-button.tsx'
import { IconEye, IconUserQuestion } from '../../ui/layout/icons.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ColumnsMenu } from '../../ui/table/columns-menu.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useRowKeys } from '../../ui/table/row-keys.ts'
import { type CallLog, isOfRequest } from './call-log.ts'
import { ExportMenu } from './export-menu.tsx'
import { logColumns } from './log-columns.tsx'
import { isFiltered, type LogSearch } from './log-filter.ts'
import { LogFilters } from './log-filters.tsx'
import { LogStatistic } from './log-statistic.tsx'
import { offeredTo, PAGE_SIZES, useLogView } from './log-view.ts'
import classes from './logs-page.module.css'
import { NoLogs } from './no-logs.tsx'
import { LOGS, type LogView, logList } from './queries.ts'
import { useLogTail } from './use-log-tail.ts'

const LogPanel = lazy(() => import('./log-panel.tsx').then((file) => ({ default: file.LogPanel })))
const UnknownCallers = lazy(() => import('./unknown-callers.tsx').then((file) => ({ default: file.UnknownCallers })))
const route = getRouteApi('/log')

export function LogsPage() {
  const { page: _page, request, ...filter } = route.useSearch()
  const page = pageIndex(route.useSearch())
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const everyone = useIsAdmin()
  const [live, setLive] = useState(false)
  const [clicked, setClicked] = useState<CallLog>()
  const [chosen, setChosen] = useState<number>()
  const [showsUnknown, setShowsUnknown] = useState(false)
  const { choices, toggle, pageSize, resize } = useLogView()
  const view: LogView = { everyone, filter, pageSize }
  const list = useList(logList(view), page, pageSize)
  const tail = useLogTail(view, live && page === 0)
  // A link may name a call; its entry is among the results of the link's filter.
  const opened = clicked ?? list.data?.rows.find((log) => request !== undefined && isOfRequest(log, request))
  const text = useText(logsText)
  const labels = useText(labelsText)
  const money = useMoney()
  const columns = useMemo(
    () => logColumns({ text, labels, money, everyone, choices, type: filter.type }),
    [text, labels, money, everyone, choices, filter.type],
  )

  const search = (next: LogSearch) => {
    // The same filter again means: reload.
    if (JSON.stringify(next) === JSON.stringify(filter)) return void client.invalidateQueries({ queryKey: LOGS })
    void navigate({ search: next })
  }

  const close = () => {
    setClicked(undefined)
    if (request !== undefined) void navigate({ search: (now) => ({ ...now, request: undefined }), replace: true })
  }

  const rows = list.data?.rows ?? []
  const rowOf = (id: number) => rows.find((log) => log.id === id)
  useRowKeys({
    ids: rows.map(({ id }) => id),
    chosen,
    onChoose(id) {
      setChosen(id)
      // With an open entry, moving on opens the next one.
      if (opened !== undefined) setClicked(rowOf(id))
    },
    onOpen: (id) => setClicked(rowOf(id)),
  })

  const open = (log: CallLog) => {
    setChosen(log.id)
    setClicked(log)
  }

  return (
    <Page
      summary={
        list.data && (
          <>
            {(list.data.more ? text.summaryOfMore : text.summary)(list.data.total)}
            {/* The usage figures count each call. */}
            {rows.some(({ detail }) => (detail?.count ?? 1) > 1) && (
              <span className={classes.shared}> · {text.sharedEntries}</span>
            )}
          </>
        )
      }
      action={
        <div className={classes.top}>
          <Switch
            label={text.live}
            title={text.liveHelp}
            checked={live}
            onChange={({ currentTarget }) => {
              setLive(currentTarget.checked)
              // New entries appear on the first page.
              if (currentTarget.checked && page > 0) void navigate({ search: filter })
            }}
          />
          {tail !== undefined && (
            <span className={tail.lost ? classes.lost : classes.back} role="status">
              {tail.lost ? text.liveLost : tail.reloaded ? text.liveReloaded : text.liveBack(tail.missed)}
            </span>
          )}
          <LogStatistic view={view} />
          {everyone && (
            <IconButton label={text.unknown.title} onClick={() => setShowsUnknown(true)}>
              <IconUserQuestion size={18} />
            </IconButton>
          )}
          <ColumnsMenu offered={offeredTo(everyone)} chosen={choices} text={text} size="xs" onToggle={toggle}>
            <p className={classes.keys}>{text.keysHelp}</p>
          </ColumnsMenu>
          <ExportMenu view={view} />
        </div>
      }
      filters={<LogFilters search={filter} everyone={everyone} onSearch={search} />}
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        onRow={open}
        chosen={chosen}
        actions={(log) => (
          <IconButton
            label={text.open(formatTimestamp(log.created_at))}
            onClick={(event) => {
              event.stopPropagation()
              open(log)
            }}
          >
            <IconEye size={16} />
          </IconButton>
        )}
        page={page}
        size={{
          value: pageSize,
          choices: PAGE_SIZES,
          onChange(rows) {
            resize(rows)
            void navigate({ search: filter })
          },
        }}
        onPage={(next) => void navigate({ search: { ...filter, page: pageParam(next) } })}
        empty={<NoLogs filtered={isFiltered(filter)} requestId={filter.request_id} />}
      />
      <Suspense>{showsUnknown && <UnknownCallers onClose={() => setShowsUnknown(false)} />}</Suspense>
      <Suspense>{opened && <LogPanel log={opened} everyone={everyone} onClose={close} />}</Suspense>
    </Page>
  )
}
