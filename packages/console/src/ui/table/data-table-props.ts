import type { ReactNode } from 'react'
import type { PageSize } from './pages.tsx'
import type { RowSelection } from './row-selection.ts'

export interface Column<Row> {
  key: string
  title: string
  render: (row: Row) => ReactNode
  align?: 'right'
  width?: number
  /** The server's name for sorting by this column, largest first. Absent when the server cannot sort by it. */
  order?: string
  /** Only shown on wide screens. */
  wide?: true
  /** On a phone each row is a card: its heading, an ordinary line (the default), or hidden. */
  card?: 'heading' | 'hidden'
  /** Whether a card has a line for this column; a table always has its cell. */
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
  /** Zero-based, like the server's. */
  page: number
  onPage: (page: number) => void
  /** Lists have ten rows per page unless it can be chosen. */
  size?: PageSize
  /** Shown when there are no rows at all. */
  empty: ReactNode
  onRow?: (row: Row) => void
  /** The id of the row selected by keyboard. */
  chosen?: number | undefined
  /** A checkbox before each row. */
  selection?: RowSelection<Row>
  /** The current sort order; empty is the server's own. A click on a header changes it. */
  order?: string
  onOrder?: (order: string) => void
}
