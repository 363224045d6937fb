import { CHANNEL_SECRETS, type Channel, commaList } from '@tollgate/contract'
import type { Prices } from '../catalog/prices.ts'
import type { Vault } from '../security/vault.ts'
import { keyOrderOf, mappingOf } from './channel-fields.ts'
import { readSecrets } from './channel-secrets.ts'
import type { StoredChannel } from './channels-repository.ts'

/** A channel as the API returns it: without its secrets, and with the models that have no price. */
export const shownChannel = (row: StoredChannel, { vault, prices }: { vault: Vault; prices: Prices }): Channel => {
  const { config: secret } = readSecrets(vault, row)
  const empty = { region: '', ak: '', sk: '', user_id: '', vertex_ai_project_id: '', vertex_ai_adc: '' }
  return {
    ...row,
    key: '',
    key_order: keyOrderOf(row.key_order),
    test_error: row.test_error === '' ? null : { zh: row.test_error, en: row.test_error_en },
    config: JSON.stringify({ ...empty, ...JSON.parse(row.config) }),
    config_secrets: CHANNEL_SECRETS.filter((name) => secret[name] !== undefined),
    unpriced: prices.unpriced({
      type: row.type,
      models: commaList(row.models),
      mapping: mappingOf(row.model_mapping),
    }),
    model_list: null,
  }
}
