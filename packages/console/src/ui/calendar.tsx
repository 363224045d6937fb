import { DatePicker } from '@mantine/dates'
import 'dayjs/locale/zh-cn'
import '@mantine/dates/styles.css'
import { formatTimestamp, parseTimestamp } from '../lib/time.ts'
import { useLocale } from '../text/text.ts'

/** Picks the day and keeps the time of day. */
export function Calendar({ seconds, onPick }: { seconds: number; onPick: (seconds: number) => void }) {
  const locale = useLocale()
  const [day = '', time = ''] = formatTimestamp(seconds).split(' ')
  return (
    <DatePicker
      locale={locale === 'en' ? 'en' : 'zh-cn'}
      defaultDate={day}
      value={day}
      onChange={(picked) => {
        const at = parseTimestamp(`${picked} ${time}`)
        if (at !== undefined) onPick(at)
      }}
    />
  )
}
