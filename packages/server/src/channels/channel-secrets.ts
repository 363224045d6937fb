import {
  CHANNEL_SECRETS,
  type ChannelConfig,
  type ChannelPlace,
  type HeaderRule,
  headerName,
  keyPlace,
} from '@tollgate/contract'
import type { Vault } from '../security/vault.ts'

type SecretName = (typeof CHANNEL_SECRETS)[number]
type HeaderValues = Readonly<Record<string, string>>
/** `header_values`: what the headers of `header_rules` carry, by name in lower case. */
type SecretConfig = Partial<Record<SecretName, string>> & { header_values?: HeaderValues }

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
  const { header_rules = [], ...rest } = givenMembers(config)
  const entries = Object.entries(rest)
  const isSecret = (name: string) => (CHANNEL_SECRETS as readonly string[]).includes(name)
  const shownRules = header_rules.map(({ name, action }) => ({ name, action }))
  const header_values = valuesOf(header_rules)
  return {
    shown: {
      ...Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
      ...(shownRules.length > 0 && { header_rules: shownRules }),
    } as Omit<ChannelConfig, SecretName>,
    secret: {
      ...Object.fromEntries(entries.filter(([name]) => isSecret(name))),
      ...(Object.keys(header_values).length > 0 && { header_values }),
    } as SecretConfig,
  }
}

/** The opposite: a config with the secrets that are kept, except where it has its own. */
export const joinConfig = (config: ChannelConfig, { header_values = {}, ...kept }: SecretConfig): ChannelConfig => {
  const { header_rules, ...rest } = givenMembers(config)
  const filled = header_rules?.map((rule) => withValue(rule, header_values))
  return { ...kept, ...rest, ...(filled !== undefined && { header_rules: filled }) }
}

const givenMembers = (config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined && !isEmpty(value)))

const isEmpty = (value: string | number | readonly unknown[]) => typeof value !== 'number' && value.length === 0

function withValue({ name, action, value = '' }: HeaderRule, kept: HeaderValues): HeaderRule {
  const full = value === '' ? kept[headerName(name)] : value
  return action === 'remove' || full === undefined ? { name, action } : { name, action, value: full }
}

const valuesOf = (rules: readonly HeaderRule[]): HeaderValues =>
  Object.fromEntries(
    rules.flatMap(({ name, action, value = '' }) =>
      action === 'remove' || value === '' ? [] : [[headerName(name), value]],
    ),
  )

/** The data that a seal is bound to, for each part of what is sealed. */
export const contextOf = (place: Place) => {
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
  const { type, origin, proxy } = keyPlace(place)
  // A proxy was never left out: no key that was sealed without one opens where there is one.
  const way = proxy === '' ? origin : `${origin}:${proxy}`
  return (part: string) => `channel:${place.id}:${type}:${way}:${part}`
}

/** Four characters tell two keys apart; of a short key they would tell too much. */
export function hintOf({ key, config }: { key: string; config: Pick<ChannelConfig, 'ak' | 'vertex_ai_adc'> }) {
  const recognisable = config.ak ?? (config.vertex_ai_adc === undefined ? key : '')
  return recognisable.length >= 12 ? recognisable.slice(-4) : ''
}
