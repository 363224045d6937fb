import { LOG_PAGE_MAX, PAGE_SIZE } from '@tollgate/contract'
import { listView } from '../../lib/lists/list-view.ts'

/** The optional columns, in their order. Time, model and type are always shown. */
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

/** Administrators also see the user and the channel. */
export const offeredTo = (everyone: boolean) =>
  CHOICES.filter((choice) => everyone || (choice !== 'channel' && choice !== 'user'))

const DEFAULTS: readonly Choice[] = ['channel', 'user', 'token', 'prompt', 'completion', 'quota', 'detail']

export const PAGE_SIZES = [PAGE_SIZE, 20, 50, LOG_PAGE_MAX] as const

export const {
  readChoices,
  readPageSize,
  useView: useLogView,
} = listView({ name: 'log', choices: CHOICES, defaults: DEFAULTS, pageSizes: PAGE_SIZES })
