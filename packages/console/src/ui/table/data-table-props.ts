import type { ReactNode } from 'react'
import type { PageSize } from './pages.tsx'
import type { RowSelection } from './row-selection.ts'

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
  /** Lists have ten rows on a page unless one can choose. */
  size?: PageSize
  /** Shown when there are no rows at all. */
  empty: ReactNode
  onRow?: (row: Row) => void
  /** The id of the row that the keyboard has come to. */
  chosen?: number | undefined
  /** A box before each row. */
  selection?: RowSelection<Row>
  /** In which order the server gave the rows; empty is its own. A click on a header asks for another. */
  order?: string
  onOrder?: (order: string) => void
}
