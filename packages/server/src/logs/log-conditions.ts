import { FAILED_OUTCOMES, type LogFilter, LogType, NO_CHANNEL } from '@tollgate/contract'
import { UNCOUNTED_MODEL } from './call-detail.ts'

/** One user's rows, or everybody's. */
export type Scope = { userId: number } | 'everyone'

/** A search in the log. */
export interface LogSearch {
  scope: Scope
  filter: LogFilter
  /** A substring of an entry's text. */
  keyword?: string
}

/** The columns that a search can filter by. */
export type Column = IndexedColumn | 'username' | 'outcome' | 'quota' | 'elapsed_time' | 'is_stream' | 'detail'

export interface OneValue {
  column: Column
  is?: '>='
  value: string | number
}

/** The users of a group, by the lists of groups that they have. */
export interface MembersOnly {
  column: 'user_id'
  is: 'member'
  value: readonly string[]
}

/** Those of nobody who has one of these lists. */
export interface NoMembers {
  column: 'user_id'
  is: 'no member'
  value: readonly string[]
}

type OfEntry =
  | OneValue
  | { column: Column; is: 'in'; value: readonly (string | number)[] }
  | { column: 'detail'; is: 'no model' | 'a model'; value: string }

export type Condition = OfEntry | MembersOnly | NoMembers

/** A group is no column of the log: its entries are those of the users who are in it now. */
type Requested = OfEntry | { column: 'group'; is?: 'none'; value: string }

type IndexedColumn = 'user_id' | 'token_name' | 'model_name' | 'channel' | 'type' | 'session'

/** Not in the indexes, so entries have to be read. */
export const IN_ENTRIES: ReadonlySet<Condition['column']> = new Set([
  'username',
  'outcome',
  'quota',
  'elapsed_time',
  'is_stream',
  'detail',
])

/** A search as conditions on columns; an empty value is no condition. */
export const conditionsOf = ({ scope, filter }: LogSearch): Requested[] => {
  const { username, user_id, group, no_group, token_name, model_name, channel, type, session } = filter
  const conditions: Requested[] = [
    { column: 'session', value: session },
    { column: 'username', value: username },
    { column: 'user_id', value: user_id === 0 ? '' : user_id },
    { column: 'group', value: group },
    { column: 'group', is: 'none', value: no_group },
    { column: 'token_name', value: token_name },
    { column: 'model_name', value: model_name },
    channel === NO_CHANNEL ? CHANNELLESS : { column: 'channel', value: channel === 0 ? '' : channel },
    type === LogType.calls ? CALLS : { column: 'type', value: type === LogType.all ? '' : type },
  ]
  const given = [...conditions, ...nameless(filter), ...narrowing(filter)].filter(({ value }) => value !== '')
  return scope === 'everyone' ? given : [{ column: 'user_id', value: scope.userId }, ...given]
}

const CALLS: OfEntry = { column: 'type', is: 'in', value: [LogType.consume, LogType.failed] }
// Not as single values: their hours are not recorded.
const CHANNELLESS: OfEntry = { column: 'channel', is: 'in', value: [0] }
const KEYLESS: OfEntry = { column: 'token_name', is: 'in', value: [''] }
const MODELLESS: OfEntry = { column: 'detail', is: 'no model', value: UNCOUNTED_MODEL }
const OFFERED: OfEntry = { column: 'detail', is: 'a model', value: UNCOUNTED_MODEL }
const FAILED: OfEntry = { column: 'outcome', is: 'in', value: FAILED_OUTCOMES }

export const isOneValue = (condition: Condition): condition is OneValue =>
  condition.is === undefined || condition.is === '>='

function nameless({ no_token, no_model, offered }: LogFilter): OfEntry[] {
  return [
    ...(no_token === '' ? [] : [KEYLESS]),
    ...(no_model === '' ? [] : [MODELLESS]),
    ...(offered === '' ? [] : [OFFERED]),
  ]
}

function narrowing({ outcome, min_quota, min_elapsed, stream }: LogFilter): OfEntry[] {
  return [
    outcome === 'failed' ? FAILED : { column: 'outcome', value: outcome },
    { column: 'quota', is: '>=', value: min_quota === 0 ? '' : min_quota },
    { column: 'elapsed_time', is: '>=', value: min_elapsed === 0 ? '' : min_elapsed },
    { column: 'is_stream', value: stream === '' ? '' : Number(stream === 'true') },
  ]
}

/** Whether a filter needs the entries themselves. */
export const needsEntries = (filter: LogFilter) => narrowing(filter).some(({ value }) => value !== '')

/** The columns that a condition looks at. */
export const columnsOf = ({ column, is }: Condition): Column[] =>
  is === 'no model' ? ['model_name', column] : [column]
