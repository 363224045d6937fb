import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import { PAGE_SIZE } from '@tollgate/contract'
import { useState } from 'react'
import { commonText } from '../text/common.ts'
import { useText } from '../text/text.ts'
import classes from './data-table.module.css'
import type { Column, DataTableProps } from './data-table.tsx'
import { type Sorting, sorted } from './sorting.ts'

/** With so many columns their distance is what makes a table too wide. */
const DENSE_FROM = 10

/** The table of the wide layout. Plain elements: a hundred cells of a component library would be felt. */
export function DataGrid<Row extends { id: number }>(props: DataTableProps<Row>) {
  const { label, list, columns, actions, onRow } = props
  const text = useText(commonText)
  const [ownSorting, setOwnSorting] = useState<Sorting>()
  const { sorting = ownSorting, onSort = setOwnSorting } = props
  const rows = list.data && sorted(list.data.rows, columns, sorting)
  return (
    <div className={classes.frame}>
      <div className={classes.scroll}>
        <table className={classes.table} data-dense={columns.length >= DENSE_FROM || undefined} aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sorting={sorting} onSort={onSort} />
              ))}
              {actions && <th className={classes.actions}>{text.actions}</th>}
            </tr>
          </thead>
          <tbody>
            {rows?.map((row) => (
              <tr key={row.id} onClick={onRow && (() => onRow(row))} data-clickable={onRow !== undefined || undefined}>
                {columns.map(({ key, align, render }) => (
                  <td key={key} data-align={align}>
                    {render(row)}
                  </td>
                ))}
                {actions && <td className={classes.actions}>{actions(row)}</td>}
              </tr>
            )) ?? <SkeletonRows columns={columns.length + (actions ? 1 : 0)} />}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function HeaderCell<Row>({
  column,
  sorting,
  onSort,
}: {
  column: Column<Row>
  sorting: Sorting | undefined
  onSort: (sorting: Sorting) => void
}) {
  const { key, title, align, width, compare } = column
  const active = sorting?.key === key ? sorting : undefined
  const Icon = active === undefined ? IconSelector : active.descending ? IconArrowDown : IconArrowUp
  const order = active === undefined ? 'none' : active.descending ? 'descending' : 'ascending'
  return (
    <th style={{ width }} data-align={align} {...(compare && { 'aria-sort': order })}>
      {compare === undefined ? (
        title
      ) : (
        <button
          type="button"
          className={classes.sort}
          onClick={() => onSort({ key, descending: active !== undefined && !active.descending })}
        >
          {title}
          <Icon size={14} aria-hidden />
        </button>
      )}
    </th>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  const cells = Array.from({ length: columns }, (_, index) => index)
  return Array.from({ length: PAGE_SIZE }, (_, row) => row).map((row) => (
    <tr key={row}>
      {cells.map((cell) => (
        <td key={cell}>
          <div className={classes.bone} />
        </td>
      ))}
    </tr>
  ))
}
