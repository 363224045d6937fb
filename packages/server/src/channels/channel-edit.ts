import {
  type ChannelConfig,
  ChannelStatus,
  type channels,
  isSamePlace,
  placeMembers,
  type Received,
} from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import { lookupHash } from '../security/random.ts'
import {
  checkProxy,
  checkRegion,
  checkRules,
  cleanConfig,
  cleanGroups,
  cleanMapping,
  cleanModels,
  cleanOther,
} from './channel-fields.ts'
import { assembleKey, checkKey, splitKeys } from './channel-keys.ts'
import { type ChannelSecrets, divideConfig, joinConfig, type Place, placeOfRow } from './channel-secrets.ts'
import type { StoredChannel } from './channels-repository.ts'

export type Edit = Received<typeof channels.update>['body']

/** Absent members stay unchanged. */
export function editedColumns(edit: Edit, type: number, before: StoredChannel) {
  if (edit.name === '') throw new GatewayError('channel.name_required')
  const status = edit.status ?? before.status
  if (status !== before.status && status !== ChannelStatus.enabled && status !== ChannelStatus.disabled) {
    throw new GatewayError('channel.bad_status')
  }
  return {
    name: edit.name ?? before.name,
    tag: edit.tag ?? before.tag,
    other: cleanOther(type, edit.other ?? before.other),
    models: cleanModels(type, edit.models ?? before.models),
    group: cleanGroups(edit.group ?? before.group),
    model_mapping: edit.model_mapping == null ? before.model_mapping : cleanMapping(edit.model_mapping),
    system_prompt: edit.system_prompt ?? before.system_prompt,
    test_model: edit.test_model ?? before.test_model,
    priority: edit.priority ?? before.priority,
    weight: edit.weight ?? before.weight,
    key_order: edit.key_order ?? before.key_order,
    status,
    ...(status !== before.status && { status_reason: '', status_reason_en: '' }),
  }
}

/**
 * An empty key keeps the stored one, unless the channel now points elsewhere: then it has to be entered again, or anyone who
 * may edit channels could send a stored key to any host. `old` is undefined when it cannot be decrypted.
 */
export function editedSecrets(
  edit: Edit,
  { type, base_url }: Pick<Place, 'type' | 'base_url'>,
  before: StoredChannel,
  old: ChannelSecrets | undefined,
) {
  const typed = splitKeys(type, edit.key ?? '').join('\n')
  const sent = sentConfig(edit, type, before)
  const asked = assembleKey(type, typed, joinConfig(sent, {}))
  checkRegion(type, asked.config)
  checkProxy(asked.config)
  const place: Place = { id: before.id, type, base_url, config: divideConfig(asked.config).shown }
  const kept = old !== undefined && isSamePlace(place, placeOfRow(before)) ? old : undefined
  const { key, config } = kept === undefined ? asked : assembleKey(type, typed, joinConfig(sent, kept.config))
  if (kept === undefined && key === '') throw new GatewayError('channel.key_retype')
  // A stored key may have an older format; only a newly entered one is validated.
  if (typed !== '' || (key !== '' && key !== kept?.key)) checkKey(type, { typed, key, config })
  checkRules(type, config)
  const divided = divideConfig(config)
  const secrets = { key: key === '' ? (kept?.key ?? '') : key, config: divided.secret }
  return { secrets, place: { ...place, config: divided.shown } }
}

/**
 * Older clients do not know region, project, account or proxy and send none, which does not mean to remove them. An empty
 * proxy does.
 */
function sentConfig(edit: Edit, type: number, before: StoredChannel): ChannelConfig {
  const stored: ChannelConfig = JSON.parse(before.config)
  if (edit.config === undefined) return stored
  const sent = cleanConfig(edit.config)
  if (type !== before.type) return sent
  const entries = Object.entries(stored).filter(([name]) => placeMembers(type).includes(name))
  const { proxy = stored.proxy } = sent
  return joinConfig({ ...sent, ...(proxy !== undefined && { proxy }) }, Object.fromEntries(entries))
}

/** What the audit log stores. A secret appears as a fingerprint, which shows that it changed but not its value. */
export function facts(row: StoredChannel, secrets: ChannelSecrets) {
  const { type, name, tag, base_url, other, models, group, model_mapping } = row
  const { system_prompt, status, priority, weight } = row
  const config: ChannelConfig = JSON.parse(row.config)
  const { header_rules, body_rules, connect_timeout, first_byte_timeout, ignored_failures, proxy } = config
  const settings = { header_rules, body_rules, connect_timeout, first_byte_timeout, ignored_failures, proxy }
  const secret = `sha256:${lookupHash(JSON.stringify([secrets.key, secrets.config])).slice(0, 8)}`
  const columns = { type, name, tag, base_url, other, models, group, model_mapping }
  const pool = row.key_count === 0 ? {} : { key_count: row.key_count, key_order: row.key_order }
  return { ...columns, system_prompt, status, priority, weight, ...settings, ...pool, secret }
}
