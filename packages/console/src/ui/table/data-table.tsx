import { useMediaQuery } from '@mantine/hooks'
import { PAGE_SIZE } from '@tollgate/contract'
import { useEffect } from 'react'
import { LoadFailed } from '../feedback/load-failed.tsx'
import classes from './data-table.module.css'
import { DataCards } from './data-table-cards.tsx'
import { DataGrid } from './data-table-grid.tsx'
import type { DataTableProps } from './data-table-props.ts'
import { Pages } from './pages.tsx'

/** A list in its four states: loading, failed, empty, and rows with pages. */
export function DataTable<Row extends { id: number }>(props: DataTableProps<Row>) {
  const { list, page, onPage, size, empty } = props
  const rows = size?.value ?? PAGE_SIZE
  const { data } = list
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })

  // The last row of the last page was deleted: show the previous page instead of nothing.
  const beyond =
    data !== undefined &&
    !list.isPlaceholderData &&
    data.rows.length === 0 &&
    data.total > 0 &&
    page > 0 &&
    data.more !== true
  useEffect(() => {
    if (beyond) onPage(Math.ceil((data?.total ?? 0) / rows) - 1)
  }, [beyond, data, rows, onPage])

  if (data === undefined && list.isError) return <LoadFailed error={list.error} onRetry={() => void list.refetch()} />
  if (data !== undefined && data.total === 0) return <div className={classes.frame}>{empty}</div>
  const Rows = narrow ? DataCards : DataGrid
  return (
    <div className={classes.list} data-stale={list.isPlaceholderData || undefined} aria-busy={data === undefined}>
      <Rows {...props} />
      {data && (
        <Pages
          page={page}
          total={data.total}
          more={data.more}
          full={data.rows.length >= rows}
          size={size}
          onPage={onPage}
        />
      )}
    </div>
  )
}
