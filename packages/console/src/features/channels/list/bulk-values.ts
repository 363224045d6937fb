import type { ChangedChannel, ChannelChange } from '@tollgate/contract'

/** What can be done to many channels; deleting stands apart. */
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
  'tag',
] as const

export type BulkAction = (typeof BULK_ACTIONS)[number] | 'remove'

/** What is typed for an action, where it needs something. */
export interface BulkValues {
  list: string[]
  number: number | ''
  tag: string
}

/** The change that is sent; undefined while what it needs is missing. */
export function toChange(action: BulkAction, { list, number, tag }: BulkValues): ChannelChange | undefined {
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
    default:
      return list.length === 0 ? undefined : { [action]: list.join(',') }
  }
}

/** Nothing has to be typed for these. */
export const isPlain = (action: BulkAction) => action === 'remove' || action === 'enable' || action === 'disable'

const FIELDS = ['status', 'group', 'priority', 'weight', 'tag'] as const

export interface FieldChange {
  field: (typeof FIELDS)[number]
  before: string | number
  after: string | number
}

/** The fields of a channel that a change touches, models aside. */
export const fieldChanges = ({ before, after }: ChangedChannel): FieldChange[] =>
  after === null
    ? []
    : FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
        field,
        before: before[field],
        after: after[field],
      }))
