import { formatExact } from '../../lib/format/numbers.ts'
import type { Words } from '../words.ts'
import type { zh } from '../zh/analytics.ts'

export const en: Words<typeof zh> = {
  countedGateway: (days, zone) => `Calls by all users · ${days} · ${zone}`,
  countedMine: (days, zone) => `Your own calls · ${days} · ${zone}`,
  days: (first, last) => (first === last ? first : `${first} to ${last}`),
  totals: 'Totals',
  view: 'What to show',
  by: 'By',
  split: 'Split by',
  noSplit: 'no split',
  step: 'Interval',
  usualStep: 'automatic',
  steps: { hour: 'hour', day: 'day', week: 'week', month: 'month' },
  compare: 'Compare with the previous period',
  table: 'Numbers',
  before: 'Previous',
  change: 'Change',
  showAll: (count) => `Show all ${formatExact(count)} rows`,
  groupsOfToday:
    'These are the groups that users have today. A user with several groups counts under the first, which calls try first; the log shows which of them served a call.',
  timesNotKnown:
    'Latency is recorded by time, model, channel, model and channel, and user; for a single user, only by time. It is not available for this breakdown.',
  filling: 'Older calls are still being processed: outcomes, cached tokens and latency are incomplete.',
  otherRange: 'Choose another time range.',
  longer: 'Show 30 days',
  nothingHelp: 'Choose another time range. Programs that are not connected yet start at Connect.',
  nothingFiltered: 'No calls match these filters. Choose another time range or clear the filters.',
  clearFilters: 'Clear filters',
  connect: 'Connect a program',
  filters: 'Filters',
  filtersOf: (count) => `Filters (${count})`,
  channelId: 'Channel ID',
  channelPlaceholder: 'Name or ID',
  badChannel: 'Choose a channel from the list or enter its ID; 0 is for calls without a channel',
  anyOutcome: 'all outcomes',
  apply: 'Apply filters',
  download: 'Download',
  downloadCsv: 'Table (CSV)',
  othersInFile: (count) =>
    `There are more than ${formatExact(count)} names: the file lists the highest and adds up the others. A shorter range, a longer interval or one dimension leaves room for more.`,
  downloadPng: 'Chart (PNG)',
  notDrawn: 'The chart is not ready yet. Try again in a moment.',
}
