import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './selection-bar.module.css'

interface SelectionBarProps {
  /** Names the bar for screen readers. */
  label: string
  /** "3 channels selected" */
  selected: string
  selectNone: string
  onClear: () => void
  /** A way to select more, beside how many there are. */
  more?: ReactNode
  /** What can be done to the selected rows. */
  children: ReactNode
}

/** Over a list of which rows are selected: how many, and what can be done to them. It stays in sight while one scrolls. */
export function SelectionBar({ label, selected, selectNone, onClear, more, children }: SelectionBarProps) {
  return (
    <section className={classes.bar} aria-label={label}>
      <strong>{selected}</strong>
      {more}
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        {selectNone}
      </Button>
      <div className={classes.actions}>{children}</div>
    </section>
  )
}
