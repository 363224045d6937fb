import { isSamePlace } from '@tollgate/contract'
import type { KeySecrets } from '../catalog/routable-channel.ts'
import { GatewayError } from '../common/errors.ts'
import { lookupHash } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import { assembleKey, checkKey } from './channel-keys.ts'
import { type ChannelSecrets, contextOf, divideConfig, hintOf, type Place } from './channel-secrets.ts'

/*
 * A key of a pool is sealed like the key of a channel, for the channel and for the same place: point the channel at
 * another host, and it does not open. It is not bound to its own row; any row of its channel would use it alike.
 */

const PART = 'pool'

export const sealPoolKey = (vault: Vault, place: Place, secrets: KeySecrets) => ({
  key_hash: hashOf(place.id, secrets),
  key_sealed: vault.seal(JSON.stringify(secrets), contextOf(place)(PART)),
  key_hint: hintOf(secrets),
})

/** Undefined where it does not open. */
export const openPoolKey = (vault: Vault, place: Place, sealed: string): KeySecrets | undefined => {
  try {
    return JSON.parse(vault.open(sealed, contextOf(place)(PART)))
  } catch {
    return undefined
  }
}

/** What of a channel's secrets belongs to its key, and what stays with the channel: a proxy's login, headers. */
export const divideSecrets = ({ key, config: { ak, sk, vertex_ai_adc, ...config } }: ChannelSecrets) => ({
  ofKey: keySecrets(key, { ak, sk, vertex_ai_adc }),
  ofChannel: { key: '', config },
})

/** A key as it was typed for a pool. One that names another region or project than its channel has no place in it. */
export const typedPoolKey = (place: Place, typed: string): KeySecrets => {
  const { key, config } = assembleKey(place.type, typed, place.config)
  if (!isSamePlace(place, { ...place, config: divideConfig(config).shown })) {
    throw new GatewayError('channel.key_elsewhere')
  }
  checkKey(place.type, { typed, key, config })
  return keySecrets(key, config)
}

function keySecrets(key: string, { ak, sk, vertex_ai_adc }: KeySecrets['config']): KeySecrets {
  return {
    key,
    config: {
      ...(ak !== undefined && { ak }),
      ...(sk !== undefined && { sk }),
      ...(vertex_ai_adc !== undefined && { vertex_ai_adc }),
    },
  }
}

/** With the channel's id, so that nobody sees that two channels have the same key. */
const hashOf = (channel: number, { key }: KeySecrets) => lookupHash(`${channel}:${key}`)
