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
  problems: {
    reversed: () => 'The range in the URL ends before it starts, so the last 7 days are shown.',
    unknown: () => 'The range in the URL is not valid, so the last 7 days are shown.',
    tooLong: (days) => `The range in the URL is too long, so only its last ${days} days are shown.`,
  },
  anyDays: 'Custom range',
  days: (first, last) => (first === last ? first : `${first} to ${last}`),
}
