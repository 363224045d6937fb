import { Button } from '@mantine/core'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { type LogSearch, RANGES, type Range } from './log-filter.ts'
import classes from './log-filters.module.css'

export interface PickedRange extends Pick<LogSearch, 'start' | 'end'> {
  range: Range
}

/** The URL contains times; which button set them is remembered while it still matches. */
export function activeRange({ start, end }: LogSearch, picked: PickedRange | undefined) {
  if (start === undefined && end === undefined) return 'allTime'
  return picked?.start === start && picked?.end === end ? picked?.range : undefined
}

interface QuickRangesProps {
  active: Range | undefined
  onPick: (range: Range) => void
}

export function QuickRanges({ active, onPick }: QuickRangesProps) {
  const text = useText(logsText)
  return (
    <fieldset className={classes.ranges} aria-label={text.range}>
      {RANGES.map((range) => (
        <Button
          key={range}
          size="compact-sm"
          variant={range === active ? 'light' : 'default'}
          aria-pressed={range === active}
          onClick={() => onPick(range)}
        >
          {text[range]}
        </Button>
      ))}
    </fieldset>
  )
}
