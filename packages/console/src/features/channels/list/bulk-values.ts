import type { ChangedChannel, ChannelChange } from '@tollgate/contract'
import { mappingRows } from '../form/mapping.ts'

/** What can be done to many channels; deleting is separate. */
export const BULK_ACTIONS = [
  'enable',
  'disable',
  'group',
  'add_group',
  'remove_group',
  'priority',
  'weight',
  'add_models',
  'remove_models',
  'add_mapping',
  'remove_mapping',
  'tag',
  'proxy',
  'remove_proxy',
] as const

export type BulkAction = (typeof BULK_ACTIONS)[number] | 'remove'

/** The input of the actions; each uses a part of it. */
export interface BulkValues {
  list: string[]
  number: number | ''
  tag: string
  model_mapping: string
  proxy: string
  proxy_user: string
  proxy_password: string
}

export const NO_VALUES: BulkValues = {
  list: [],
  number: '',
  tag: '',
  model_mapping: '',
  proxy: '',
  proxy_user: '',
  proxy_password: '',
}

/** The body to send; undefined while a required value is missing. */
export function toChange(action: BulkAction, values: BulkValues): ChannelChange | undefined {
  const { list, number, tag, model_mapping } = values
  switch (action) {
    case 'remove':
      return { remove: true }
    case 'enable':
      return { status: 1 }
    case 'disable':
      return { status: 2 }
    case 'priority':
    case 'weight':
      return number === '' ? undefined : { [action]: number }
    case 'tag':
      return { tag: tag.trim() }
    case 'add_mapping':
      return mappingRows(model_mapping)?.length === 0 ? undefined : { add_mapping: model_mapping }
    case 'proxy':
      return proxyChange(values)
    case 'remove_proxy':
      return { proxy: '' }
    default:
      return list.length === 0 ? undefined : { [action]: list.join(',') }
  }
}

function proxyChange({ proxy, proxy_user, proxy_password }: BulkValues): ChannelChange | undefined {
  if (proxy.trim() === '') return undefined
  return {
    proxy: proxy.trim(),
    ...(proxy_user !== '' && { proxy_user }),
    ...(proxy_password !== '' && { proxy_password }),
  }
}

/** Nothing has to be typed for these. */
export const isPlain = (action: BulkAction) => ['remove', 'enable', 'disable', 'remove_proxy'].includes(action)

/** Stored keys would be sent through another proxy, which is reserved for those who may export them. */
export const isForRoot = (action: BulkAction) => action === 'proxy' || action === 'remove_proxy'

const FIELDS = ['status', 'group', 'priority', 'weight', 'tag', 'proxy'] as const

export interface FieldChange {
  field: (typeof FIELDS)[number]
  before: string | number
  after: string | number
}

/** The changed fields of a channel, except its models. */
export const fieldChanges = ({ before, after }: ChangedChannel): FieldChange[] =>
  after === null
    ? []
    : FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
        field,
        before: before[field],
        after: after[field],
      }))
