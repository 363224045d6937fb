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
/** `header_values`: the values of `header_rules`, by lower-case name. */
type SecretConfig = Partial<Record<SecretName, string>> & { header_values?: HeaderValues }

export interface ChannelSecrets {
  key: string
  config: SecretConfig
}

/** The context a channel's secret is bound to. If the channel points to another host, account or vendor, it cannot be decrypted. */
export interface Place extends ChannelPlace {
  id: number
}

/** A stored row; `config` is JSON text. */
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

/** Like `openSecrets`, but empty when they cannot be decrypted, because the key is gone or the row was moved. */
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

/** Splits a config into public and secret parts. Empty members are dropped. */
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

/** Merges stored secrets into a config, except where it has its own. */
export const joinConfig = (config: ChannelConfig, { header_values = {}, ...kept }: SecretConfig): ChannelConfig => {
  const { header_rules, ...rest } = givenMembers(config)
  const filled = header_rules?.map((rule) => withValue(rule, header_values))
  return { ...kept, ...rest, ...(filled !== undefined && { header_rules: filled }) }
}

const givenMembers = (config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined && !isEmpty(value)))

const isEmpty = (value: string | number | readonly unknown[]) => typeof value !== 'number' && value.length === 0

function withValue({ name, action, value = '' }: HeaderRule, kept: HeaderValues): HeaderRule {
  const full = value === '' ? new Map(Object.entries(kept)).get(headerName(name)) : value
  return action === 'remove' || full === undefined ? { name, action } : { name, action, value: full }
}

const valuesOf = (rules: readonly HeaderRule[]): HeaderValues =>
  Object.fromEntries(
    rules.flatMap(({ name, action, value = '' }) =>
      action === 'remove' || value === '' ? [] : [[headerName(name), value]],
    ),
  )

/** The encryption context of each part. */
export const contextOf = (place: Place) => {
  const { members } = keyPlace(place)
  const first = firstContextOf(place)
  return (part: string) => (members.length === 0 ? first(part) : `${first(part)}:${JSON.stringify(members)}`)
}

/**
 * The context of older versions, without regions, projects and accounts. Keys encrypted then still open, and are bound to the
 * rest with the next change of their channel: re-encrypting at the start would lock out nodes that are not upgraded yet.
 */
const firstContextOf = (place: Place) => {
  const { type, origin, proxy } = keyPlace(place)
  // The proxy was always part of the context: a key encrypted without one never opens with one.
  const way = proxy === '' ? origin : `${origin}:${proxy}`
  return (part: string) => `channel:${place.id}:${type}:${way}:${part}`
}

/** Four characters distinguish keys; for a short key they would reveal too much. */
export function hintOf({ key, config }: { key: string; config: Pick<ChannelConfig, 'ak' | 'vertex_ai_adc'> }) {
  const recognisable = config.ak ?? (config.vertex_ai_adc === undefined ? key : '')
  return recognisable.length >= 12 ? recognisable.slice(-4) : ''
}
