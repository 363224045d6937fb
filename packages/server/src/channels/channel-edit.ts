import { type ChannelConfig, ChannelStatus, type channels, type Received } from '@tollgate/contract'
import { GatewayError } from '../errors.ts'
import { lookupHash } from '../security/random.ts'
import { cleanConfig, cleanGroups, cleanMapping, cleanModels, cleanOther } from './channel-fields.ts'
import { assembleKey, checkKey, splitKeys } from './channel-keys.ts'
import { type ChannelSecrets, divideConfig } from './channel-secrets.ts'
import type { StoredChannel } from './channels-repository.ts'

export type Edit = Received<typeof channels.update>['body']

/** What is not sent stays. */
export function editedColumns(edit: Edit, type: number, before: StoredChannel) {
  if (edit.name === '') throw new GatewayError('channel.name_required')
  const status = edit.status ?? before.status
  if (status !== before.status && status !== ChannelStatus.enabled && status !== ChannelStatus.disabled) {
    throw new GatewayError('channel.bad_status')
  }
  return {
    name: edit.name ?? before.name,
    other: cleanOther(type, edit.other ?? before.other),
    models: cleanModels(type, edit.models ?? before.models),
    group: cleanGroups(edit.group ?? before.group),
    model_mapping: edit.model_mapping == null ? before.model_mapping : cleanMapping(edit.model_mapping),
    system_prompt: edit.system_prompt ?? before.system_prompt,
    test_model: edit.test_model ?? before.test_model,
    priority: edit.priority ?? before.priority,
    weight: edit.weight ?? before.weight,
    status,
    status_reason: status === before.status ? before.status_reason : '',
  }
}

/**
 * An empty key keeps the stored one, unless the channel now points elsewhere: then it has to be typed again, or a
 * stored key could be sent to any host by whoever may edit channels.
 */
export function editedSecrets(edit: Edit, type: number, before: StoredChannel, old: ChannelSecrets, stays: boolean) {
  const typed = splitKeys(type, edit.key ?? '').join('\n')
  const sent = edit.config === undefined ? JSON.parse(before.config) : cleanConfig(edit.config)
  const kept: ChannelConfig = stays ? old.config : {}
  const { secret: sentSecret, shown } = divideConfig(sent)
  const { key, config } = assembleKey(type, typed, { ...kept, ...shown, ...sentSecret })
  const divided = divideConfig(config)
  if (!stays && key === '') throw new GatewayError('channel.key_retype')
  // What is stored already may be of an older form; only what was typed now is held against today's.
  if (typed !== '' || (key !== '' && key !== old.key)) checkKey(type, { typed, key, config })
  return { secrets: { key: key === '' ? old.key : key, config: divided.secret }, config: divided.shown }
}

/** What the record keeps. A secret appears as a fingerprint: one sees that it changed, not what it is. */
export function facts(row: StoredChannel, { key, config }: ChannelSecrets) {
  const { type, name, base_url, other, models, group, model_mapping, system_prompt, status, priority, weight } = row
  const secret = `sha256:${lookupHash(JSON.stringify([key, config])).slice(0, 8)}`
  return { type, name, base_url, other, models, group, model_mapping, system_prompt, status, priority, weight, secret }
}
