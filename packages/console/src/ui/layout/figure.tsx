import { Skeleton } from '@mantine/core'
import classes from './figure.module.css'

interface FigureProps {
  label: string
  /** Absent while it is on its way. */
  value: string | undefined
  /** The exact number behind a shortened one. */
  title?: string | undefined
  note?: string | undefined
}

/** Wider than a tile on a phone. */
const isLong = (value = '') => value.length > 10

/** One number that matters, and what it counts. Figures stand together in a `<dl>`. */
export function Figure({ label, value, title, note }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value} data-long={isLong(value) || undefined} title={title}>
        {value ?? <Skeleton height={20} width={96} my={6} />}
      </dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  )
}
