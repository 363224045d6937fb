import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './range-buttons.module.css'

interface RangeButtonsProps<Range extends string> {
  label: string
  ranges: readonly Range[]
  names: Readonly<Record<Range, string>>
  active: Range | undefined
  onPick: (range: Range) => void
  /** A last button, for any other range. */
  children?: ReactNode
}

/** Common time ranges, of which one may be the chosen one. */
export function RangeButtons<Range extends string>(props: RangeButtonsProps<Range>) {
  const { label, ranges, names, active, onPick, children } = props
  return (
    <fieldset className={classes.ranges} aria-label={label}>
      {ranges.map((range) => (
        <Button
          key={range}
          size="compact-sm"
          variant={range === active ? 'light' : 'default'}
          aria-pressed={range === active}
          onClick={() => onPick(range)}
        >
          {names[range]}
        </Button>
      ))}
      {children}
    </fieldset>
  )
}
