import { CHANNEL_SECRETS, type ChannelConfig, type ChannelPlace, keyPlace } from '@tollgate/contract'
import type { Vault } from '../security/vault.ts'

type SecretName = (typeof CHANNEL_SECRETS)[number]
type SecretConfig = Partial<Record<SecretName, string>>

export interface ChannelSecrets {
  key: string
  config: SecretConfig
}

/** What a secret of a channel is bound to. Point the channel at another host, account or vendor, and it does not open. */
export interface Place extends ChannelPlace {
  id: number
}

/** A row as it is stored; `config` is JSON text. */
type SealedRow = Omit<Place, 'config'> & { config: string; key_sealed: string; secrets_sealed: string }

export const sealSecrets = (vault: Vault, place: Place, secrets: ChannelSecrets) => {
  const context = contextOf(place)
  return {
    key_sealed: vault.seal(secrets.key, context('key')),
    secrets_sealed: vault.seal(JSON.stringify(secrets.config), context('config')),
    key_hint: hintOf(secrets),
  }
}

export const placeOfRow = ({ id, type, base_url, config }: Pick<SealedRow, 'id' | 'type' | 'base_url' | 'config'>) => ({
  ...{ id, type, base_url },
  config: JSON.parse(config),
})

/** As `openSecrets`; a row whose secrets do not open, because its key is gone or it was moved, has none. */
export const readSecrets = (vault: Vault, row: SealedRow): ChannelSecrets & { readable: boolean } => {
  try {
    return { ...openSecrets(vault, row), readable: true }
  } catch {
    return { key: '', config: {}, readable: false }
  }
}

export const openSecrets = (vault: Vault, row: SealedRow): ChannelSecrets => {
  const place = placeOfRow(row)
  const open = (sealed: string, part: string) => {
    try {
      return vault.open(sealed, contextOf(place)(part))
    } catch {
      return vault.open(sealed, firstContextOf(place)(part))
    }
  }
  return { key: open(row.key_sealed, 'key'), config: JSON.parse(open(row.secrets_sealed, 'config')) }
}

/** Splits a config into what may be shown and what must not. Empty members are left out of both. */
export const divideConfig = (config: ChannelConfig) => {
  const entries = Object.entries(config).filter(([, value]) => value !== undefined && value !== '')
  const isSecret = (name: string) => (CHANNEL_SECRETS as readonly string[]).includes(name)
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !isSecret(name))) as Omit<ChannelConfig, SecretName>,
    secret: Object.fromEntries(entries.filter(([name]) => isSecret(name))) as SecretConfig,
  }
}

const contextOf = (place: Place) => {
  const { members } = keyPlace(place)
  const first = firstContextOf(place)
  return (part: string) => (members.length === 0 ? first(part) : `${first(part)}:${JSON.stringify(members)}`)
}

/**
 * Until regions, projects and accounts were bound as well, this was all of it. Keys that were sealed then still open, and
 * are bound to the rest with the next change of their channel: sealing them anew at the start would lock out the nodes
 * that have not been upgraded yet.
 */
const firstContextOf = (place: Place) => {
  const { type, origin } = keyPlace(place)
  return (part: string) => `channel:${place.id}:${type}:${origin}:${part}`
}

/** Four characters tell two keys apart; of a short key they would tell too much. */
function hintOf({ key, config }: ChannelSecrets) {
  const recognisable = config.ak ?? (config.vertex_ai_adc === undefined ? key : '')
  return recognisable.length >= 12 ? recognisable.slice(-4) : ''
}
