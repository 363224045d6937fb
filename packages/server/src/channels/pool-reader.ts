import { ChannelKeyStatus } from '@tollgate/contract'
import type { RoutableKey, RoutablePool } from '../catalog/routable-channel.ts'
import type { Db } from '../database/client.ts'
import { storedRateLimits } from '../limits/stored-rate-limits.ts'
import type { Vault } from '../security/vault.ts'
import { keyOrderOf } from './channel-fields.ts'
import { channelKeysRepository, type StoredKey } from './channel-keys-repository.ts'
import { type Place, placeOfRow } from './channel-secrets.ts'
import type { StoredChannel } from './channels-repository.ts'
import { parseCooldowns } from './key-cooldowns.ts'
import { openPoolKey } from './pool-secrets.ts'

type KeyRow = Pick<StoredKey, 'id' | 'key_sealed' | 'key_hint' | 'rate_limits' | 'cooldowns'>

/**
 * The key pools as routing sees them. A pool is reloaded only when its channel has changed, so that a change of one channel
 * does not reload thousands of keys of the others.
 */
export const createPoolReader = ({ db, vault }: { db: Db; vault: Vault }) => {
  let known = new Map<number, RoutablePool>()

  return async (channels: readonly StoredChannel[]): Promise<ReadonlyMap<number, RoutablePool>> => {
    const pooled = channels.filter(({ key_count }) => key_count > 0)
    if (pooled.length === 0) {
      known = new Map()
      return known
    }
    const stale = pooled.filter(({ id, changed }) => known.get(id)?.version !== changed)
    const rows = stale.length === 0 ? [] : await channelKeysRepository(db).routable(stale.map(({ id }) => id))
    const byChannel = Map.groupBy(rows, ({ channel_id }) => channel_id)
    known = new Map(
      pooled.map((channel): [number, RoutablePool] => {
        const before = known.get(channel.id)
        if (before?.version === channel.changed) return [channel.id, before]
        return [channel.id, poolOf(vault, channel, byChannel.get(channel.id) ?? [])]
      }),
    )
    return known
  }
}

function poolOf(vault: Vault, channel: StoredChannel, rows: readonly (KeyRow & { status: number })[]): RoutablePool {
  const place = placeOfRow(channel)
  const inUse = rows.filter(({ status }) => status === ChannelKeyStatus.enabled)
  const [first] = rows
  return {
    version: channel.changed,
    order: keyOrderOf(channel.key_order),
    keys: inUse.map((row) => routableKey(vault, place, row)),
    spare: inUse.length > 0 || first === undefined ? undefined : routableKey(vault, place, first),
  }
}

export function routableKey(vault: Vault, place: Place, row: KeyRow): RoutableKey {
  const { models: _, ...limits } = storedRateLimits(row.rate_limits)
  let opened: { secrets: ReturnType<typeof openPoolKey> } | undefined
  return {
    id: row.id,
    hint: row.key_hint,
    cooldowns: parseCooldowns(row.cooldowns),
    limits,
    secrets() {
      opened ??= { secrets: openPoolKey(vault, place, row.key_sealed) }
      return opened.secrets
    },
  }
}
