import { commaList } from '@tollgate/contract'
import type { RoutableChannel, RoutablePool } from '../catalog/routable-channel.ts'
import type { Vault } from '../security/vault.ts'
import { mappingOf } from './channel-fields.ts'
import { joinConfig, readSecrets } from './channel-secrets.ts'
import type { StoredChannel } from './channels-repository.ts'

export const toRoutable = (vault: Vault, row: StoredChannel, pool?: RoutablePool): RoutableChannel => {
  const { key, config } = readSecrets(vault, row)
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    status: row.status,
    priority: row.priority,
    weight: row.weight,
    models: commaList(row.models),
    groups: commaList(row.group),
    mapping: mappingOf(row.model_mapping),
    systemPrompt: row.system_prompt,
    testModel: row.test_model,
    baseUrl: row.base_url,
    key,
    other: row.other,
    config: joinConfig(JSON.parse(row.config), config),
    pool,
  }
}
