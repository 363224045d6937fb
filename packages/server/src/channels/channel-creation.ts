import { type ChannelConfig, ChannelStatus, type channels, Defaults, type Received } from '@tollgate/contract'
import {
  checkProxy,
  checkRegion,
  checkRules,
  cleanBaseUrl,
  cleanGroups,
  cleanMapping,
  cleanModels,
  cleanOther,
} from './channel-fields.ts'
import { assembleKey, checkKey } from './channel-keys.ts'
import { divideConfig } from './channel-secrets.ts'

export type Creation = Received<typeof channels.create>['body']

type Fields = Omit<Creation, 'key' | 'config' | 'key_pool'>

/** The columns of a new channel and the secrets to encrypt; throws for invalid channels. */
export const newChannel = (
  fields: Fields,
  typed: { key: string; config: ChannelConfig; mayLackKey?: boolean },
  now: number,
) => {
  const { type } = fields
  const { key, config } = assembleKey(type, typed.key, typed.config)
  checkRegion(type, config)
  checkProxy(config)
  checkRules(type, config)
  if (key !== '' || typed.mayLackKey !== true) checkKey(type, { typed: typed.key, key, config })
  const { shown, secret } = divideConfig(config)
  const columns = {
    type,
    name: fields.name,
    tag: fields.tag ?? '',
    base_url: cleanBaseUrl(fields.base_url ?? ''),
    other: cleanOther(type, fields.other ?? ''),
    config: JSON.stringify(shown),
    models: cleanModels(type, fields.models),
    group: cleanGroups(fields.group || Defaults.group),
    model_mapping: cleanMapping(fields.model_mapping ?? ''),
    system_prompt: fields.system_prompt ?? '',
    test_model: fields.test_model ?? '',
    status: ChannelStatus.enabled as number,
    status_reason: '',
    priority: fields.priority ?? 0,
    weight: fields.weight ?? 0,
    created_time: now,
    key_order: (fields.key_order ?? 'round_robin') as string,
    // The secrets are bound to the row's id, which exists only after the insert.
    ...{ key_sealed: '', secrets_sealed: '', key_hint: '' },
  }
  return { columns, secrets: { key, config: secret } }
}
