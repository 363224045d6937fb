import { isSamePlace } from '@tollgate/contract'
import type { KeySecrets } from '../catalog/routable-channel.ts'
import { GatewayError } from '../common/errors.ts'
import { lookupHash } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import { assembleKey, checkKey } from './channel-keys.ts'
import { type ChannelSecrets, contextOf, divideConfig, hintOf, type Place } from './channel-secrets.ts'

/*
 * A pool key is encrypted like a channel's key and bound to the channel and its destination: if the channel points to
 * another host, it cannot be decrypted. It is not bound to its own row, because all rows of a channel are equivalent.
 */

const PART = 'pool'

export const sealPoolKey = (vault: Vault, place: Place, secrets: KeySecrets) => ({
  key_hash: hashOf(place.id, secrets),
  key_sealed: vault.seal(JSON.stringify(secrets), contextOf(place)(PART)),
  key_hint: hintOf(secrets),
})

/** Undefined when it cannot be decrypted. */
export const openPoolKey = (vault: Vault, place: Place, sealed: string): KeySecrets | undefined => {
  try {
    return JSON.parse(vault.open(sealed, contextOf(place)(PART)))
  } catch {
    return undefined
  }
}

/** Splits a channel's secrets into those of its key and those of the channel: proxy login, headers. */
export const divideSecrets = ({ key, config: { ak, sk, vertex_ai_adc, ...config } }: ChannelSecrets) => ({
  ofKey: keySecrets(key, { ak, sk, vertex_ai_adc }),
  ofChannel: { key: '', config },
})

/** A key entered for a pool. One with another region or project than its channel is rejected. */
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

/** Includes the channel's id, so that nobody can see that two channels share a key. */
const hashOf = (channel: number, { key }: KeySecrets) => lookupHash(`${channel}:${key}`)
