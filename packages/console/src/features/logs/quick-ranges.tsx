import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { RangeButtons } from '../../ui/inputs/range-buttons.tsx'
import { type LogSearch, RANGES, type Range } from './log-filter.ts'

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
  return <RangeButtons label={text.range} ranges={RANGES} names={text} active={active} onPick={onPick} />
}
