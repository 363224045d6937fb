import { CHANNEL_PAGE_MAX, PAGE_SIZE } from '@tollgate/contract'
import { listView } from '../../../lib/lists/list-view.ts'

/** The optional columns, in their order. Name and status are always shown. */
export const CHOICES = [
  'id',
  'group',
  'type',
  'tag',
  'models',
  'failures',
  'response',
  'balance',
  'usedQuota',
  'priority',
  'weight',
  'testModel',
] as const

export type Choice = (typeof CHOICES)[number]

const DEFAULTS: readonly Choice[] = ['id', 'group', 'type', 'response', 'balance', 'priority', 'weight', 'testModel']

export const PAGE_SIZES = [PAGE_SIZE, 20, 50, CHANNEL_PAGE_MAX] as const

export const {
  readChoices,
  readPageSize,
  useView: useChannelView,
} = listView({ name: 'channel', choices: CHOICES, defaults: DEFAULTS, pageSizes: PAGE_SIZES })
