import { Skeleton } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import type { Change } from '../../lib/usage/change.ts'
import classes from './figure.module.css'

interface FigureProps {
  label: string
  /** Absent while loading. */
  value: string | undefined
  /** The exact number behind a shortened one. */
  title?: string | undefined
  note?: ReactNode
  /** The change from the previous period, and its value; an unchanged figure shows nothing. */
  change?: (Change & { title: string; isBad?: boolean }) | undefined
  /** Makes the value a link to what it counts. */
  link?: (value: string) => ReactNode
}

interface FigureTilesProps extends Omit<ComponentProps<'dl'>, 'className'> {
  /** In one row of a wide screen. */
  columns: 3 | 4
  /** On a phone the first of three has a row of its own. */
  isFirstWide?: boolean
}

/** The tiles at the top of a page. */
export function FigureTiles({ columns, isFirstWide = false, ...rest }: FigureTilesProps) {
  return <dl {...rest} className={classes.figures} data-columns={columns} data-first-wide={isFirstWide || undefined} />
}

/** Wider than a tile on a phone. */
const isLong = (value = '') => value.length > 9

/** One important number and its label. It stands in `FigureTiles`. */
export function Figure({ label, value, title, note, change, link }: FigureProps) {
  return (
    <div className={classes.figure} data-quiet-links>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value} data-long={isLong(value) || undefined} title={title}>
        {value === undefined ? <Skeleton height={20} width={96} my={6} /> : (link?.(value) ?? value)}
        {change !== undefined && change.direction !== 'same' && (
          <span className={classes.change} data-bad={change.isBad || undefined} title={change.title}>
            {change.text}
          </span>
        )}
      </dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  )
}
