import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { IconFilter } from '../layout/icons.tsx'
import classes from './folding-filters.module.css'

interface FoldingFiltersProps {
  /** The number of filters that are set. */
  count: number
  text: { filters: string; filtersOf: (count: number) => string; clear: string }
  onClear: () => void
  /** For fetching the options before one is chosen. */
  onFocus?: () => void
  /** Many fields share the row. */
  narrow?: boolean
  children: ReactNode
}

/** A row of filters over a list, behind a button on narrow screens. */
export function FoldingFilters({ count, text, onClear, onFocus, narrow = false, children }: FoldingFiltersProps) {
  const [opened, setOpened] = useState(false)
  return (
    <search className={classes.search} onFocus={onFocus}>
      <Button
        className={classes.toggle}
        variant="default"
        leftSection={<IconFilter size={16} />}
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        {count === 0 ? text.filters : text.filtersOf(count)}
      </Button>
      <div className={classes.fields} data-opened={opened || undefined} data-narrow={narrow || undefined}>
        {children}
        {count > 0 && (
          <Button size="xs" variant="default" onClick={onClear}>
            {text.clear}
          </Button>
        )}
      </div>
    </search>
  )
}
