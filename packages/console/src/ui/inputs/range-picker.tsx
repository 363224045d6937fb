import { Button, Popover } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { chosenRange, type Days, daysOf, RANGES, type RangeSearch } from '../../lib/usage/time-range.ts'
import { rangesText } from '../../text/ranges.ts'
import { useText } from '../../text/text.ts'
import { IconCalendar } from '../layout/icons.tsx'
import { RangeButtons } from './range-buttons.tsx'

const DaysCalendar = lazy(() => import('./days-calendar.tsx').then((file) => ({ default: file.DaysCalendar })))

interface RangePickerProps {
  search: RangeSearch
  today: string
  onChoose: (range: Required<RangeSearch>) => void
}

/** The time range of the figures: a common one, or any days. */
export function RangePicker({ search, today, onChoose }: RangePickerProps) {
  const text = useText(rangesText)
  const [opened, setOpened] = useState(false)
  const chosen = chosenRange(search)
  const isNamed = typeof chosen === 'string'
  return (
    <RangeButtons
      label={text.range}
      ranges={RANGES}
      names={text.names}
      active={isNamed ? chosen : undefined}
      onPick={(range) => onChoose({ range, from: undefined, to: undefined })}
    >
      <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus>
        <Popover.Target>
          <Button
            size="compact-sm"
            variant={isNamed ? 'default' : 'light'}
            aria-pressed={!isNamed}
            leftSection={<IconCalendar size={14} />}
            onClick={() => setOpened(!opened)}
          >
            {isNamed ? text.anyDays : text.days(chosen.first, chosen.last)}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={text.anyDays}>
          <Suspense fallback={<div style={{ width: 252, height: 264 }} />}>
            <DaysCalendar days={daysOf(chosen, today)} today={today} onPick={pick} />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
    </RangeButtons>
  )

  function pick({ first, last }: Days) {
    setOpened(false)
    onChoose({ range: undefined, from: first, to: last })
  }
}
