import { LOG_PAGE_MAX, PAGE_SIZE } from '@tollgate/contract'
import { listView } from '../../lib/list-view.ts'

/** The columns that can be left out or added, in their order. When a call was, its model and its type are always there. */
const CHOICES = [
  'channel',
  'user',
  'token',
  'outcome',
  'stream',
  'prompt',
  'completion',
  'elapsed',
  'firstByte',
  'retries',
  'quota',
  'requestId',
  'detail',
  'wholeDetail',
] as const

export type Choice = (typeof CHOICES)[number]

/** Administrators see whose call it was and which channel answered. */
export const offeredTo = (everyone: boolean) =>
  CHOICES.filter((choice) => everyone || (choice !== 'channel' && choice !== 'user'))

const DEFAULTS: readonly Choice[] = ['channel', 'user', 'token', 'prompt', 'completion', 'quota', 'detail']

export const PAGE_SIZES = [PAGE_SIZE, 20, 50, LOG_PAGE_MAX] as const

export const {
  readChoices,
  readPageSize,
  useView: useLogView,
} = listView({ name: 'log', choices: CHOICES, defaults: DEFAULTS, pageSizes: PAGE_SIZES })
