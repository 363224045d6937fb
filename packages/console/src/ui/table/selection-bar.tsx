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
  /** A link to select more, beside the count. */
  more?: ReactNode
  /** Actions on the selected rows. */
  children: ReactNode
}

/** Shown over a list with selected rows: their number, and actions on them. It stays visible while scrolling. */
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
