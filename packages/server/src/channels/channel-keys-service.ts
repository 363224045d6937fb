import {
  type ChannelKey,
  ChannelKeyStatus,
  type channelKeys as endpoints,
  type RateLimit,
  type Received,
} from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError, type Language } from '../common/errors.ts'
import { upstreamTextIn } from '../common/upstream-sentences.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import { pageWindow } from '../database/page-window.ts'
import { rateLimitsText, storedRateLimits } from '../limits/stored-rate-limits.ts'
import type { Vault } from '../security/vault.ts'
import { splitKeys } from './channel-keys.ts'
import { channelKeysRepository, type StoredKey } from './channel-keys-repository.ts'
import { placeOfRow } from './channel-secrets.ts'
import { channelsRepository, type StoredChannel } from './channels-repository.ts'
import { parseCooldowns } from './key-cooldowns.ts'
import { addToPool } from './key-pool.ts'
import { routableKey } from './pool-reader.ts'
import { foundChannel, lockedChannel } from './stored-channel.ts'

export type ChannelKeysService = ReturnType<typeof createChannelKeysService>

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  audit: AuditService
}

/** Changed keys listed in the audit log. */
const NAMED_MAX = 20

/** The keys of a channel with several. */
export const createChannelKeysService = ({ db, clock, vault, audit }: Needs) => {
  const record = (tx: Tx, by: By, channel: number, verb: string, keys: readonly Hinted[], facts: object = {}) =>
    audit.record(tx, by, {
      action: `channel.${verb}`,
      target: `channel:${channel}`,
      after: { count: keys.length, keys: keys.slice(0, NAMED_MAX).map(named), ...facts },
    })

  const removeThese = async (tx: Tx, by: By, channel: StoredChannel, keys: readonly Hinted[]) => {
    if (keys.length === 0) return
    if (keys.length >= channel.key_count) throw new GatewayError('channel.last_key')
    await channelKeysRepository(tx).remove(keys.map(({ id = 0 }) => id))
    await channelsRepository(tx).update(channel.id, { key_count: channel.key_count - keys.length })
    await record(tx, by, channel.id, 'keys_remove', keys)
  }

  return {
    async page(
      channel: number,
      { p, page_size, status, hint }: Received<typeof endpoints.list>['query'],
      language: Language,
    ) {
      await foundChannel(db, channel)
      const { rows, total } = await channelKeysRepository(db).page(channel, { status, hint }, pageWindow(p, page_size))
      return { rows: rows.map((row) => wire(row, clock.now(), language)), total }
    },

    async counts(channel: number) {
      await foundChannel(db, channel)
      return channelKeysRepository(db).counts(channel, clock.now())
    },

    add: (by: By, id: number, { key, rate_limits }: Received<typeof endpoints.add>['body']) =>
      transact(db, async (tx) => {
        const before = await lockedChannel(tx, id)
        const typed = splitKeys(before.type, key)
        const at = seconds(clock)
        const { added, skipped } = await addToPool(tx, vault, before, { typed, limits: rate_limits, at })
        if (added.length > 0) await record(tx, by, id, 'keys_add', added, { skipped, ...limitFacts(rate_limits) })
        return { added: added.length, skipped }
      }),

    /** Enabling a key clears the reason why it was set aside. */
    update: (by: By, channel: number, { ids, status, rate_limits }: Received<typeof endpoints.update>['body']) =>
      transact(db, async (tx) => {
        if (status === undefined && rate_limits === undefined) throw new GatewayError('channel.keys_nothing')
        await lockedChannel(tx, channel)
        const keys = await theseKeys(tx, channel, ids)
        await channelKeysRepository(tx).update(
          keys.map(({ id }) => id),
          {
            ...(status !== undefined && { status, status_reason: '' }),
            ...(rate_limits !== undefined && { rate_limits: rateLimitsText(rate_limits) }),
          },
        )
        await channelsRepository(tx).update(channel, {})
        const facts = { ...(status !== undefined && { status }), ...limitFacts(rate_limits) }
        await record(tx, by, channel, 'keys_update', keys, facts)
        return keys.length
      }),

    remove: (by: By, channel: number, id: number) =>
      transact(db, async (tx) => {
        const row = await lockedChannel(tx, channel)
        const key = await channelKeysRepository(tx).find(channel, id)
        if (key === undefined) throw new GatewayError('channel.key_not_found')
        await removeThese(tx, by, row, [key])
      }),

    /** All of them or none: those of a channel that would have no key left stay. */
    removeSome: (by: By, channel: number, ids: readonly number[]) =>
      transact(db, async (tx) => {
        const row = await lockedChannel(tx, channel)
        const keys = await theseKeys(tx, channel, ids)
        await removeThese(tx, by, row, keys)
        return keys.length
      }),

    removeSetAside: (by: By, channel: number) =>
      transact(db, async (tx) => {
        const row = await lockedChannel(tx, channel)
        const keys = await channelKeysRepository(tx).ofStatus(channel, ChannelKeyStatus.setAside)
        await removeThese(tx, by, row, keys)
        return keys.length
      }),

    /** How many keys are enabled, not counting these. */
    enabledBeside: (channel: number, ids: readonly number[]) => channelKeysRepository(db).enabledBeside(channel, ids),

    /** One key, whatever its status. */
    async routable(channel: number, id: number) {
      const row = await foundChannel(db, channel)
      const key = await channelKeysRepository(db).find(channel, id)
      if (key === undefined) throw new GatewayError('channel.key_not_found')
      return routableKey(vault, placeOfRow(row), key)
    },

    /** Without an error the test passed. */
    saveTest: (id: number, { at, ms, error }: { at: number; ms: number; error?: string | undefined }) =>
      channelKeysRepository(db).update([id], {
        test_time: at,
        response_time: ms,
        ...(error !== undefined && { last_error: error, last_error_time: at }),
      }),

    /** A test succeeded with a key that the gateway had set aside. */
    restore: (channel: number, id: number) =>
      transact(db, async (tx) => {
        await lockedChannel(tx, channel)
        const key = await channelKeysRepository(tx).find(channel, id)
        if (key?.status !== ChannelKeyStatus.setAside) return
        await channelKeysRepository(tx).update([id], { status: ChannelKeyStatus.enabled, status_reason: '' })
        await channelsRepository(tx).update(channel, {})
      }),
  }
}

async function theseKeys(tx: Tx, channel: number, ids: readonly number[]) {
  const keys = await channelKeysRepository(tx).some(channel, [...new Set(ids)])
  if (keys.length < new Set(ids).size) throw new GatewayError('channel.key_not_found')
  return keys
}

interface Hinted {
  id?: number
  key_hint: string
}

const named = ({ key_hint }: Hinted) => `…${key_hint}`

const limitFacts = (limits: RateLimit | undefined) =>
  limits === undefined || Object.keys(limits).length === 0 ? {} : { rate_limits: limits }

const wire = (row: StoredKey, nowMs: number, language: Language): ChannelKey => {
  const { models: _, ...rate_limits } = storedRateLimits(row.rate_limits)
  const cooldowns = [...parseCooldowns(row.cooldowns)]
    .filter(([, until]) => until > nowMs)
    .map(([model, until]) => ({ model, until: Math.ceil(until / 1000) }))
    .sort((one, other) => other.until - one.until || one.model.localeCompare(other.model))
  return {
    ...row,
    ...{ rate_limits, cooldowns, cooldown_until: cooldowns[0]?.until ?? 0 },
    status_reason: upstreamTextIn(row.status_reason, language),
    last_error: upstreamTextIn(row.last_error, language),
  }
}
