import type { BodyRule, ChannelConfig, HeaderRule } from '@tollgate/contract'
import { jsonOrUndefined } from '@tollgate/providers'
import type { ImportedChannel } from '../channels/imported-channel.ts'
import { channelTypeOf } from './channel-types.ts'
import type { SourceDatabase } from './source-database.ts'
import { membersOf, type SourceChannel } from './source-rows.ts'

const AZURE = 3
const AWS = 33
const COZE = 34
const CLOUDFLARE = 37
const VERTEX = 42
const OPENAI_COMPATIBLE = 50

/** Of a key in a pool. */
const ENABLED = 1

/** A channel as a file of ours would describe it, or why there is none like it; and what it loses. */
export const channelOf = (
  kind: SourceDatabase['kind'],
  source: SourceChannel,
): { channel: ImportedChannel; lost: string[] } | { missing: string } => {
  const found = channelTypeOf(kind, source.type)
  if ('missing' in found) return found
  const { type } = found
  const setting = membersOf(source.setting)
  const { keys, disabled } = keysOf(source)
  const { base_url, config, key } = placeOf(kind, type, { ...source, base_url: source.base_url || found.baseUrl }, keys)
  const rules = rulesOf(source)
  const proxy = typeof setting.proxy === 'string' && setting.proxy !== '' ? { proxy: setting.proxy } : {}
  const prompt = typeof setting.system_prompt === 'string' ? setting.system_prompt : ''
  return {
    channel: {
      ...{ type, name: source.name || `channel ${source.id}`, status: source.status, base_url, key },
      ...{ models: source.models, group: source.group, model_mapping: emptyObjectAsNone(source.model_mapping) },
      ...{ test_model: source.test_model, system_prompt: source.system_prompt || prompt, tag: source.tag },
      ...{ priority: source.priority, weight: Math.max(0, source.weight) },
      other: type === AZURE || kind === 'one-api' ? source.other : '',
      config: { ...config, ...rules.config, ...proxy },
    },
    lost: [
      ...rules.lost,
      ...(isTable(source.status_code_mapping) ? ['a mapping of status codes'] : []),
      ...(setting.pass_through_body_enabled === true ? ['bodies passed through unread'] : []),
      ...(disabled === 0 ? [] : ['disabled keys of its pool']),
    ],
  }
}

const isTable = (json: string) => Object.keys(membersOf(json)).length > 0
const emptyObjectAsNone = (json: string) => (json === '{}' ? '' : json)

/** new-api keeps several keys in one channel, one per line or as a JSON array, with the status of each by its place. */
function keysOf({ key, channel_info }: SourceChannel) {
  const { is_multi_key, multi_key_status_list } = membersOf(channel_info)
  if (is_multi_key !== true) return { keys: [key], disabled: 0 }
  const listed = key.startsWith('[') ? jsonOrUndefined(key) : undefined
  const all: string[] = Array.isArray(listed)
    ? listed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    : key.split('\n').map((line) => line.trim())
  const statuses = new Map(Object.entries(Object(multi_key_status_list ?? {})))
  const keys = all.filter((one, place) => one !== '' && Number(statuses.get(String(place)) ?? ENABLED) === ENABLED)
  return { keys, disabled: all.filter((one) => one !== '').length - keys.length }
}

/** Where the calls go and with what: some types keep parts of it in other columns than ours. */
function placeOf(
  kind: SourceDatabase['kind'],
  type: number,
  { base_url, other, config: json, id: _id }: SourceChannel,
  keys: readonly string[],
): { base_url: string; config: ChannelConfig; key: string } {
  const stored: ChannelConfig = membersOf(json)
  const plain = { base_url, config: stored, key: keys.join('\n') }
  if (kind === 'one-api') return plain
  if (type === OPENAI_COMPATIBLE) return { ...plain, base_url: withVersion(base_url) }
  if (type === VERTEX) return { ...plain, config: {}, key: keys.map((one) => vertexKey(one, other)).join('\n') }
  if (type === AWS) return { ...plain, config: {} }
  if (type === COZE || type === CLOUDFLARE) return { ...plain, config: other === '' ? {} : { user_id: other } }
  return { ...plain, config: {} }
}

const withVersion = (address: string) => (address === '' || /\/v\d/.test(address) ? address : `${address}/v1`)

/** new-api has the account's JSON as the key, and the region, perhaps one for each model, in another column. */
function vertexKey(json: string, other: string) {
  const regions = membersOf(other)
  const region = typeof regions.default === 'string' ? regions.default : Object.keys(regions).length > 0 ? '' : other
  const account = membersOf(json)
  if (Object.keys(account).length === 0) return json
  return `${region || 'global'}|${String(account.project_id ?? '')}|${JSON.stringify(account)}`
}

/** Headers and members of bodies that new-api sets on every call. Its conditional operations have no counterpart. */
function rulesOf({ header_override, param_override }: SourceChannel) {
  const headers = Object.entries(membersOf(header_override))
  const members = membersOf(param_override)
  const hasOperations = 'operations' in members
  const header_rules: HeaderRule[] = headers.map(([name, value]) => ({ name, action: 'set', value: String(value) }))
  const body_rules: BodyRule[] = hasOperations
    ? []
    : Object.entries(members).map(([path, value]) => ({ path, action: 'set', value: JSON.stringify(value) }))
  return {
    config: {
      ...(header_rules.length > 0 && { header_rules }),
      ...(body_rules.length > 0 && { body_rules }),
    },
    lost: hasOperations ? ['operations on parameters'] : [],
  }
}
