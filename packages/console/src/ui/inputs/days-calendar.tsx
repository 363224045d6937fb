import { DatePicker } from '@mantine/dates'
import 'dayjs/locale/zh-cn'
import '@mantine/dates/styles.css'
import { useState } from 'react'
import type { Days } from '../../lib/usage/time-range.ts'
import { commonText } from '../../text/common.ts'
import { useLocale, useText } from '../../text/text.ts'

interface DaysCalendarProps {
  days: Days
  today: string
  onPick: (days: Days) => void
}

/** Picks the first day, then the last; the same one twice is a single day. */
export function DaysCalendar({ days, today, onPick }: DaysCalendarProps) {
  const text = useText(commonText)
  const chinese = useLocale() === 'zh-CN'
  const [picked, setPicked] = useState<[string | null, string | null]>([days.first, days.last])
  return (
    <DatePicker
      type="range"
      allowSingleDateInRange
      hideOutsideDates
      locale={chinese ? 'zh-cn' : 'en'}
      monthLabelFormat={chinese ? 'YYYY 年 M 月' : 'MMMM YYYY'}
      weekendDays={[]}
      ariaLabels={text.calendar}
      maxDate={today}
      defaultDate={days.last}
      value={picked}
      onChange={(next) => {
        setPicked(next)
        const [first, last] = next
        if (first !== null && last !== null) onPick({ first, last })
      }}
    />
  )
}
