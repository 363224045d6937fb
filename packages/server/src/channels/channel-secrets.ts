import { CHANNEL_SECRETS, type ChannelConfig } from '@tollgate/contract'
import type { Vault } from '../security/vault.ts'

type SecretName = (typeof CHANNEL_SECRETS)[number]
type SecretConfig = Partial<Record<SecretName, string>>

export interface ChannelSecrets {
  key: string
  config: SecretConfig
}

/** What a secret of a channel is bound to. Point the channel at another host or vendor, and it does not open. */
interface Place {
  id: number
  type: number
  base_url: string
}

export const sealSecrets = (vault: Vault, place: Place, secrets: ChannelSecrets) => ({
  key_sealed: vault.seal(secrets.key, contextOf(place, 'key')),
  secrets_sealed: vault.seal(JSON.stringify(secrets.config), contextOf(place, 'config')),
  key_hint: hintOf(secrets),
})

/** As `openSecrets`; a row whose secrets do not open, because its key is gone or it was moved, has none. */
export const readSecrets = (
  vault: Vault,
  row: Place & { key_sealed: string; secrets_sealed: string },
): ChannelSecrets & { readable: boolean } => {
  try {
    return { ...openSecrets(vault, row), readable: true }
  } catch {
    return { key: '', config: {}, readable: false }
  }
}

export const openSecrets = (
  vault: Vault,
  row: Place & { key_sealed: string; secrets_sealed: string },
): ChannelSecrets => ({
  key: vault.open(row.key_sealed, contextOf(row, 'key')),
  config: JSON.parse(vault.open(row.secrets_sealed, contextOf(row, 'config'))),
})

/** Splits a config into what may be shown and what must not. Empty members are left out of both. */
export const divideConfig = (config: ChannelConfig) => {
  const entries = Object.entries(config).filter(([, value]) => value !== undefined && value !== '')
  const isSecret = (name: string) => (CHANNEL_SECRETS as readonly string[]).includes(name)
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !isSecret(name))) as Omit<ChannelConfig, SecretName>,
    secret: Object.fromEntries(entries.filter(([name]) => isSecret(name))) as SecretConfig,
  }
}

export const samePlace = (one: Place, other: Place) => contextOf(one, '') === contextOf(other, '')

function contextOf({ id, type, base_url }: Place, part: string) {
  const origin = URL.canParse(base_url) ? new URL(base_url).origin : ''
  return `channel:${id}:${type}:${origin}:${part}`
}

/** Four characters tell two keys apart; of a short key they would tell too much. */
function hintOf({ key, config }: ChannelSecrets) {
  const recognisable = config.ak ?? (config.vertex_ai_adc === undefined ? key : '')
  return recognisable.length >= 12 ? recognisable.slice(-4) : ''
}
