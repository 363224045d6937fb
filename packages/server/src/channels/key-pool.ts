import { CHANNEL_KEYS_MAX, ChannelKeyStatus, type RateLimit } from '@tollgate/contract'
import { providerOf } from '@tollgate/providers'
import type { KeySecrets } from '../catalog/routable-channel.ts'
import { GatewayError } from '../common/errors.ts'
import type { Db, Tx } from '../database/client.ts'
import { rateLimitsText } from '../limits/stored-rate-limits.ts'
import type { Vault } from '../security/vault.ts'
import { channelKeysRepository } from './channel-keys-repository.ts'
import { openSecrets, placeOfRow, sealSecrets } from './channel-secrets.ts'
import { channelsRepository, type StoredChannel } from './channels-repository.ts'
import { divideSecrets, openPoolKey, sealPoolKey, typedPoolKey } from './pool-secrets.ts'

interface Added {
  typed: readonly string[]
  limits?: RateLimit
  at: number
}

/**
 * Adds keys to the pool of a channel whose row is locked, skipping duplicates. A channel with a single key gets a pool: its key
 * becomes the first one, with all its spending, so that the sums of keys and channel agree.
 */
export const addToPool = async (tx: Tx, vault: Vault, channel: StoredChannel, { typed, limits = {}, at }: Added) => {
  // A proxy channel forwards anything, so a rejected key cannot be distinguished from a rejected call.
  if (providerOf(channel.type)?.forward !== undefined) throw new GatewayError('channel.no_pool')
  if (typed.length === 0) throw new GatewayError('channel.key_required')
  const place = placeOfRow(channel)
  const known = await channelKeysRepository(tx).hashes(channel.id)
  const rowOf = (secrets: KeySecrets, rate_limits = '') => ({
    ...sealPoolKey(vault, place, secrets),
    ...{ channel_id: channel.id, status: ChannelKeyStatus.enabled, rate_limits, used_quota: 0, created_time: at },
  })

  const { ofKey: own, ofChannel } = divideSecrets(opened(vault, channel))
  const moved = channel.key_count === 0 && own.key !== '' ? [{ ...rowOf(own), used_quota: channel.used_quota }] : []
  for (const { key_hash } of moved) known.add(key_hash)
  const added = typed
    .map((text) => rowOf(typedPoolKey(place, text), rateLimitsText(limits)))
    .filter(({ key_hash }) => !known.has(key_hash) && known.add(key_hash))
  const skipped = typed.length - added.length
  if (added.length === 0) return { channel, added, skipped }

  if (known.size > CHANNEL_KEYS_MAX) throw new GatewayError('channel.too_many_keys', { max: CHANNEL_KEYS_MAX })
  await channelKeysRepository(tx).insert([...moved, ...added])
  const row = await channelsRepository(tx).update(channel.id, {
    key_count: known.size,
    ...(moved.length > 0 && sealSecrets(vault, place, ofChannel)),
  })
  return { channel: row, added, skipped }
}

/** The decrypted keys of a pool for a copy; throws when one cannot be decrypted. */
export const poolKeysOf = async (db: Db, vault: Vault, channel: StoredChannel): Promise<KeySecrets[]> => {
  if (channel.key_count === 0) return []
  const place = placeOfRow(channel)
  return (await channelKeysRepository(db).sealed(channel.id)).map(({ key_sealed }) => {
    const secrets = openPoolKey(vault, place, key_sealed)
    if (secrets === undefined) throw new GatewayError('channel.copy_sealed', { name: channel.name })
    return secrets
  })
}

/** Copies the pool of another channel, without spending and statuses. */
export const fillPool = async (
  tx: Tx,
  vault: Vault,
  channel: StoredChannel,
  { keys, at }: { keys: readonly KeySecrets[]; at: number },
) => {
  if (keys.length === 0) return channel
  if (keys.length > CHANNEL_KEYS_MAX) throw new GatewayError('channel.too_many_keys', { max: CHANNEL_KEYS_MAX })
  const place = placeOfRow(channel)
  const rows = keys.map((secrets) => ({
    ...sealPoolKey(vault, place, secrets),
    ...{ channel_id: channel.id, status: ChannelKeyStatus.enabled, rate_limits: '', used_quota: 0, created_time: at },
  }))
  await channelKeysRepository(tx).insert(rows)
  return channelsRepository(tx).update(channel.id, { key_count: rows.length })
}

/** A channel whose other secrets are lost cannot be called, so it must not get keys. */
function opened(vault: Vault, channel: StoredChannel) {
  try {
    return openSecrets(vault, channel)
  } catch (error) {
    throw new GatewayError('channel.key_retype', {}, { cause: error })
  }
}
