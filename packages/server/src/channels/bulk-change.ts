import {
  BULK_SHOWN_MAX,
  type BulkResult,
  type ChangedChannel,
  type ChannelChange,
  type ChannelConfig,
  ChannelStatus,
  channelType,
  commaList,
} from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import type { ProxyChange } from './bulk-proxy.ts'
import { checkProxy, cleanMapping, mappingOf } from './channel-fields.ts'
import type { StoredChannel } from './channels-repository.ts'

type Columns = Pick<StoredChannel, 'status' | 'group' | 'priority' | 'weight' | 'tag' | 'models' | 'model_mapping'>

export interface Planned {
  before: StoredChannel
  /** Undefined when the channel is deleted. */
  after: Columns | undefined
  /** Undefined when the proxy stays the same. */
  proxy?: ProxyChange | undefined
}

/** Refuses empty and contradictory changes. */
export const checkChange = ({ remove, ...rest }: ChannelChange) => {
  const names = Object.keys(rest)
  if (remove === true && names.length > 0) throw new GatewayError('channel.bulk_remove_alone')
  if (remove !== true && names.length === 0) throw new GatewayError('channel.bulk_nothing')
  if (rest.group !== undefined && (rest.add_group !== undefined || rest.remove_group !== undefined)) {
    throw new GatewayError('channel.bulk_group_twice')
  }
  for (const name of LISTS) {
    if (rest[name] !== undefined && commaList(rest[name]).length === 0) throw new GatewayError('channel.bulk_nothing')
  }
  if (rest.add_mapping !== undefined && mappingOf(cleanMapping(rest.add_mapping)).size === 0) {
    throw new GatewayError('channel.bulk_nothing')
  }
  const { proxy = '', proxy_user = '', proxy_password = '' } = rest
  if (proxy === '' && (proxy_user !== '' || proxy_password !== '')) throw new GatewayError('channel.bulk_no_proxy')
  checkProxy({ proxy })
}

const LISTS = ['group', 'add_group', 'remove_group', 'add_models', 'remove_models', 'remove_mapping'] as const

/** The channels that change, with their new columns. Refuses the whole change if one would be left without a group or a model. */
export const planned = (
  rows: readonly StoredChannel[],
  change: ChannelChange,
  proxyChange: (row: StoredChannel) => ProxyChange | undefined = () => undefined,
): Planned[] =>
  change.remove === true
    ? rows.map((before) => ({ before, after: undefined }))
    : rows.map((before) => ({ before, after: changed(before, change), proxy: proxyChange(before) })).filter(differs)

function changed(before: StoredChannel, change: ChannelChange): Columns {
  const group =
    change.group === undefined
      ? edited(before.group, change.add_group, change.remove_group)
      : commaList(change.group).join(',')
  const models = edited(before.models, change.add_models, change.remove_models)
  const { name } = before
  if (group === '') throw new GatewayError('channel.bulk_no_group', { name })
  if (models === '' && channelType(before.type)?.hasModels !== false) {
    throw new GatewayError('channel.bulk_no_model', { name })
  }
  return {
    status: change.status ?? before.status,
    group,
    priority: change.priority ?? before.priority,
    weight: change.weight ?? before.weight,
    tag: change.tag ?? before.tag,
    models,
    model_mapping: remapped(before.model_mapping, change.add_mapping, change.remove_mapping),
  }
}

function edited(text: string, added = '', removed = '') {
  if (added === '' && removed === '') return text
  const gone = new Set(commaList(removed))
  return commaList(`${text},${added}`)
    .filter((entry) => !gone.has(entry))
    .join(',')
}

/** An equivalent mapping keeps its original text. */
function remapped(text: string, added = '', removed = '') {
  const before = mappingOf(text)
  const after = new Map([...before, ...mappingOf(cleanMapping(added))])
  for (const name of commaList(removed)) after.delete(name)
  if (mappingChanges(before, after).length === 0) return text
  return after.size === 0 ? '' : JSON.stringify(Object.fromEntries(after), null, 2)
}

const mappingChanges = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((model) => ({ model, before: before.get(model) ?? null, after: after.get(model) ?? null }))
    .filter((change) => change.before !== change.after)

const differs = ({ before, after, proxy }: Planned) =>
  after === undefined || proxy !== undefined || COLUMNS.some((column) => before[column] !== after[column])

const COLUMNS = ['status', 'group', 'priority', 'weight', 'tag', 'models', 'model_mapping'] as const

/** The change as totals, and in detail for the first channels. */
export const describe = (
  rows: readonly StoredChannel[],
  plan: readonly Planned[],
  others: readonly Offer[],
): BulkResult => {
  const lost = orphaned(plan, others)
  return {
    matched: rows.length,
    changed: plan.length,
    ids: rows.map(({ id }) => id),
    channels: plan.slice(0, BULK_SHOWN_MAX).map(shown),
    orphaned: lost.slice(0, BULK_SHOWN_MAX),
    orphaned_count: lost.length,
  }
}

function shown({ before, after, proxy }: Planned): ChangedChannel {
  const had = commaList(before.models)
  const has = after === undefined ? had : commaList(after.models)
  const [old, now] = [new Set(had), new Set(has)]
  const oldProxy = proxyOf(before.config)
  return {
    id: before.id,
    name: before.name,
    before: { ...valuesOf(before), models: had.length, proxy: oldProxy },
    after:
      after === undefined
        ? null
        : { ...valuesOf(after), models: has.length, proxy: proxyOf(proxy?.config ?? before.config) },
    models_added: has.filter((model) => !old.has(model)),
    models_removed: had.filter((model) => !now.has(model)),
    mapping: after === undefined ? [] : mappingChanges(mappingOf(before.model_mapping), mappingOf(after.model_mapping)),
    proxy_login: proxy?.hasOtherLogin === true,
  }
}

const valuesOf = ({ status, group, priority, weight, tag }: Columns) => ({ status, group, priority, weight, tag })

const proxyOf = (config: string) => (JSON.parse(config) as ChannelConfig).proxy ?? ''

export type Offer = Pick<StoredChannel, 'id' | 'group' | 'models'>

/** Models of a group that an enabled channel offers now and none will. `others` are the enabled channels. */
export function orphaned(plan: readonly Planned[], others: readonly Offer[]) {
  const touched = new Set(plan.map(({ before }) => before.id))
  const after = plan.flatMap(({ before: { id }, after: row }) =>
    row?.status === ChannelStatus.enabled ? [{ id, group: row.group, models: row.models }] : [],
  )
  const left = new Set([...others.filter(({ id }) => !touched.has(id)), ...after].flatMap(pairs))
  const had = plan
    .filter(({ before }) => before.status === ChannelStatus.enabled)
    .flatMap(({ before }) => pairs(before))
  return [...new Set(had)].filter((pair) => !left.has(pair)).map(readPair)
}

/** A group has no commas in its name, nor has a model. */
const pairs = ({ group, models }: Omit<Offer, 'id'>) =>
  commaList(group).flatMap((name) => commaList(models).map((model) => `${name},${model}`))

const readPair = (pair: string) => {
  const [group = '', model = ''] = pair.split(',')
  return { group, model }
}
