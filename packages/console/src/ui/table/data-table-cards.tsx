import classes from './data-table.module.css'
import type { Column, DataTableProps } from './data-table-props.ts'
import { RowBox } from './row-box.tsx'

/** The same columns in the same order, one card per row, for narrow screens. */
export function DataCards<Row extends { id: number }>(props: DataTableProps<Row>) {
  const { label, list, columns, actions, onRow, selection } = props
  const headings = columns.filter(({ card }) => card === 'heading')
  const facts = columns.filter(({ card }) => card === undefined)
  if (list.data === undefined) return <SkeletonCards />
  return (
    <ul className={classes.cards} aria-label={label}>
      {list.data.rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the same detail opens from a button among the actions.
        <li key={row.id} className={classes.card} onClick={onRow && (() => onRow(row))}>
          <div className={classes.heading}>
            {selection && (
              <RowBox
                label={selection.label(row)}
                checked={selection.isSelected(row.id)}
                onToggle={(range) => selection.onToggle(row.id, range)}
              />
            )}
            <div className={classes.name}>
              {headings
                .filter(({ present }) => present?.(row) ?? true)
                .map(({ key, render }) => (
                  <div key={key}>{render(row)}</div>
                ))}
            </div>
            {actions?.(row)}
          </div>
          <dl className={classes.facts}>
            {facts
              .filter(({ present }) => present?.(row) ?? true)
              .map((column) => (
                <Fact key={column.key} column={column} row={row} />
              ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

function Fact<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  return (
    <div className={classes.fact}>
      <dt>{column.title}</dt>
      <dd>{column.render(row)}</dd>
    </div>
  )
}

function SkeletonCards() {
  return (
    <div className={classes.cards}>
      {[0, 1, 2, 3].map((card) => (
        <div key={card} className={classes.card}>
          <div className={classes.bone} />
          <div className={classes.bone} />
          <div className={classes.bone} />
        </div>
      ))}
    </div>
  )
}
