import { PAGE_SIZE } from '@tollgate/contract'
import { useRef } from 'react'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { IconArrowDown, IconSelector } from '../layout/icons.tsx'
import classes from './data-table.module.css'
import type { Column, DataTableProps } from './data-table-props.ts'
import { RowBox } from './row-box.tsx'
import { useScrollsOn } from './use-scrolls-on.ts'

/** The table of the wide layout. Plain elements: a hundred cells of a component library would be slow. */
export function DataGrid<Row extends { id: number }>(props: DataTableProps<Row>) {
  const { label, list, columns, actions, onRow, chosen, selection, order, onOrder } = props
  const text = useText(commonText)
  const box = useRef<HTMLDivElement>(null)
  const scrollsOn = useScrollsOn(box)
  return (
    <div className={classes.frame}>
      <div ref={box} className={classes.scroll} data-scrolls-on={scrollsOn || undefined}>
        <table className={classes.table} data-dense={densityOf(columns.length)} aria-label={label}>
          <thead>
            <tr>
              {selection && (
                <th className={classes.boxes}>
                  <RowBox
                    label={selection.pageLabel}
                    checked={list.data?.rows.every(({ id }) => selection.isSelected(id)) === true}
                    onToggle={selection.onTogglePage}
                  />
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} order={order} onOrder={onOrder} />
              ))}
              {actions && <th className={classes.actions}>{text.actions}</th>}
            </tr>
          </thead>
          <tbody>
            {list.data?.rows.map((row) => (
              <tr
                key={row.id}
                onClick={onRow && (() => onRow(row))}
                data-clickable={onRow !== undefined || undefined}
                aria-current={row.id === chosen || undefined}
                ref={row.id === chosen ? scrollNear : undefined}
              >
                {selection && (
                  <td className={classes.boxes}>
                    <RowBox
                      label={selection.label(row)}
                      checked={selection.isSelected(row.id)}
                      onToggle={(range) => selection.onToggle(row.id, range)}
                    />
                  </td>
                )}
                {columns.map(({ key, align, wide, render }) => (
                  <td key={key} data-align={align} data-wide={wide}>
                    {render(row)}
                  </td>
                ))}
                {actions && <td className={classes.actions}>{actions(row)}</td>}
              </tr>
            )) ?? <SkeletonRows columns={columns.length + (actions ? 1 : 0) + (selection ? 1 : 0)} />}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Accounts for the header, which covers rows scrolled under it. */
function scrollNear(row: HTMLTableRowElement | null) {
  row?.scrollIntoView({ block: 'nearest' })
}

interface HeaderCellProps<Row> {
  column: Column<Row>
  order: string | undefined
  onOrder: ((order: string) => void) | undefined
}

/** A second click on the sorted column restores the server's own order. */
function HeaderCell<Row>({ column, order = '', onOrder }: HeaderCellProps<Row>) {
  const { title, align, width, wide } = column
  if (column.order === undefined || onOrder === undefined) {
    return (
      <th style={{ width }} data-align={align} data-wide={wide}>
        {title}
      </th>
    )
  }
  const active = column.order === order
  const Icon = active ? IconArrowDown : IconSelector
  const next = active ? '' : column.order
  return (
    <th style={{ width }} data-align={align} data-wide={wide} aria-sort={active ? 'descending' : 'none'}>
      <button type="button" className={classes.sort} onClick={() => onOrder(next)}>
        {title}
        <Icon size={14} aria-hidden />
      </button>
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

/** With many columns their padding makes a table too wide. */
function densityOf(columns: number) {
  if (columns < 8) return undefined
  return columns === 8 ? 'some' : 'most'
}
