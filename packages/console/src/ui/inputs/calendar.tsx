import { DatePicker } from '@mantine/dates'
import 'dayjs/locale/zh-cn'
import '@mantine/dates/styles.css'
import { formatTimestamp, nowSeconds, parseTimestamp } from '../../lib/format/time.ts'
import { commonText } from '../../text/common.ts'
import { useLocale, useText } from '../../text/text.ts'

interface CalendarProps {
  /** The chosen time, if any. */
  seconds: number | undefined
  onPick: (seconds: number) => void
}

/** Picks the day and keeps the time of day. */
export function Calendar({ seconds, onPick }: CalendarProps) {
  const text = useText(commonText)
  const chinese = useLocale() === 'zh-CN'
  const [day = '', time = ''] = formatTimestamp(seconds ?? nowSeconds()).split(' ')
  return (
    <DatePicker
      locale={chinese ? 'zh-cn' : 'en'}
      monthLabelFormat={chinese ? 'YYYY 年 M 月' : 'MMMM YYYY'}
      weekendDays={[]}
      ariaLabels={text.calendar}
      defaultDate={day}
      value={seconds === undefined ? null : day}
      onChange={(picked) => {
        const at = parseTimestamp(`${picked} ${time}`)
        if (at !== undefined) onPick(at)
      }}
    />
  )
}
