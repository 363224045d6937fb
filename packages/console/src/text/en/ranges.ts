import type { Words } from '../words.ts'
import type { zh } from '../zh/ranges.ts'

export const en: Words<typeof zh> = {
  range: 'Time range',
  names: {
    today: 'Today',
    yesterday: 'Yesterday',
    '7d': '7 days',
    '30d': '30 days',
    month: 'This month',
    last_month: 'Last month',
  },
  anyDays: 'Choose days',
  days: (first, last) => (first === last ? first : `${first} to ${last}`),
}
