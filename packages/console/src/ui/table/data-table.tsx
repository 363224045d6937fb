import { useMediaQuery } from '@mantine/hooks'
import { PAGE_SIZE } from '@tollgate/contract'
import { type ReactNode, useEffect } from 'react'
import { LoadFailed } from '../feedback/load-failed.tsx'
import classes from './data-table.module.css'
import { DataCards } from './data-table-cards.tsx'
import { DataGrid } from './data-table-grid.tsx'
import { Pages } from './pages.tsx'

export interface Column<Row> {
  key: string
  title: string
  render: (row: Row) => ReactNode
  align?: 'right'
  width?: number
  /** The server's name for the order by this column, largest first. A column that the server cannot sort has none. */
  order?: string
  /** Left out where a table has less room than on a wide screen. */
  wide?: true
  /** On a phone each row is a card: its heading, an ordinary line of facts (the default), or left out. */
  card?: 'heading' | 'hidden'
  /** Whether a card has a line for this column at all; a table always has its cell. */
  present?: (row: Row) => boolean
}

/** The part of a list query that a table shows. */
export interface ListState<Row> {
  data: { rows: Row[]; total: number; more?: boolean } | undefined
  isError: boolean
  error: unknown
  isPlaceholderData: boolean
  refetch: () => unknown
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  label: string
  list: ListState<Row>
  columns: readonly Column<Row>[]
  /** Icons and a menu at the end of a row. */
  actions?: (row: Row) => ReactNode
  /** Counted from 0, as the server does. */
  page: number
  onPage: (page: number) => void
  /** Shown when there are no rows at all. */
  empty: ReactNode
  onRow?: (row: Row) => void
  /** In which order the server gave the rows; empty is its own. A click on a header asks for another. */
  order?: string
  onOrder?: (order: string) => void
}

/** A list in its four states: first load, failed, empty, and rows with their pages. */
export function DataTable<Row extends { id: number }>(props: DataTableProps<Row>) {
  const { list, page, onPage, empty } = props
  const { data } = list
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })

  // The last row of the last page was deleted: show the page before instead of nothing.
  const beyond = data !== undefined && !list.isPlaceholderData && data.rows.length === 0 && data.total > 0 && page > 0
  useEffect(() => {
    if (beyond) onPage(Math.ceil((data?.total ?? 0) / PAGE_SIZE) - 1)
  }, [beyond, data, onPage])

  if (data === undefined && list.isError) return <LoadFailed error={list.error} onRetry={() => void list.refetch()} />
  if (data !== undefined && data.total === 0) return <div className={classes.frame}>{empty}</div>
  const Rows = narrow ? DataCards : DataGrid
  return (
    <div className={classes.list} data-stale={list.isPlaceholderData || undefined} aria-busy={data === undefined}>
      <Rows {...props} />
      {data && <Pages page={page} total={data.total} more={data.more} onPage={onPage} />}
    </div>
  )
}
