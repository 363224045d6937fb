import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ListPage } from '../../lib/lists/use-list-page.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { SearchBox } from '../inputs/search-box.tsx'
import { Page } from '../layout/page.tsx'
import { DataTable } from './data-table.tsx'
import type { Column, ListState } from './data-table-props.ts'
import { EmptyState } from './empty-state.tsx'
import { NothingFound } from './nothing-found.tsx'

interface ListScreenProps<Row, Order extends string> {
  place: ListPage<Order>
  list: ListState<Row>
  columns: readonly Column<Row>[]
  actions: (row: Row) => ReactNode
  text: { list: string; search: string; empty: string; emptyHelp: string; summary: (total: number) => string }
  /** The link to the form for a new one. With an icon in the page header, without one in an empty list. */
  add: (icon: boolean) => ReactNode
  icon: ReactNode
  /** Besides the server's own order. */
  orders?: readonly { value: Order; label: string }[]
  /** Fields that narrow the list down, and how many of them are set. */
  filters?: { count: number; fields: ReactNode }
  /** A value that could not be copied, for copying by hand. */
  uncopied?: string | undefined
  /** Whether rows per page can be chosen. */
  sized?: boolean
}

/** The screen of a noun: its list with search, optional order, row actions, and an empty state. */
export function ListScreen<Row extends { id: number }, Order extends string = never>(
  props: ListScreenProps<Row, Order>,
) {
  const { place, list, columns, actions, text, add, icon, orders = [], filters, uncopied, sized } = props
  const { keyword, order } = place.filter
  const common = useText(commonText)
  const sort = (wanted: string) => place.sort(orders.find(({ value }) => value === wanted)?.value ?? '')
  return (
    <Page
      summary={list.data && text.summary(list.data.total)}
      action={add(true)}
      filters={
        <>
          <SearchBox label={text.search} value={keyword} manual={uncopied} onSearch={place.search} />
          {orders.length > 0 && (
            <NativeSelect
              aria-label={common.sort}
              value={order}
              data={[{ value: '', label: common.sortDefault }, ...orders]}
              onChange={({ currentTarget }) => sort(currentTarget.value)}
            />
          )}
          {filters?.fields}
        </>
      }
    >
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        actions={actions}
        page={place.page}
        onPage={place.toPage}
        {...(sized && { size: place.size })}
        order={order}
        {...(orders.length > 0 && { onOrder: sort })}
        empty={
          keyword === '' && !filters?.count ? (
            <EmptyState icon={icon} title={text.empty} help={text.emptyHelp} action={add(false)} />
          ) : (
            <NothingFound />
          )
        }
      />
    </Page>
  )
}
