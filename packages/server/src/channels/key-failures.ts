import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { storableText } from '../common/storable-text.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import type { KeyFailure } from '../upstream/key-pools.ts'
import { channelKeysRepository } from './channel-keys-repository.ts'
import { channelsRepository } from './channels-repository.ts'
import { type Cooldowns, cooldownColumns, parseCooldowns } from './key-cooldowns.ts'

interface Needs {
  db: Db
  catalog: Pick<CatalogService, 'forget'>
  clock: Clock
  log: Log
}

/** What happened to a key since the last write: its newest failure, and all its new cool-downs. */
interface WaitingFailure extends Pick<KeyFailure, 'channel' | 'key' | 'failure'> {
  at: number
  cooldowns: Map<string, number>
}

/** The maximum stored length of a vendor's message. */
const REASON_MAX = 500

/** Cool-downs are written in batches, so other nodes are not notified more often than this. */
const EVERY_MS = 1000

/**
 * Stores key failures. Setting a key aside is written at once and signalled to every node by its channel's change; cool-downs
 * and errors are batched per second, because a thousand keys may be rate-limited together. This node already knows them.
 */
export const createKeyFailures = ({ db, catalog, clock, log }: Needs) => {
  let waiting = new Map<number, WaitingFailure>()
  let writtenAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined

  const setAside = ({ channel, key, failure }: KeyFailure) =>
    transact(db, async (tx) => {
      if ((await channelsRepository(tx).lock(channel)) === undefined) return
      const status_reason = storableText(`${failure.status} ${failure.message}`, REASON_MAX)
      const isNews = await channelKeysRepository(tx).setAside(key, { status_reason, last_error_time: seconds(clock) })
      if (isNews) await channelsRepository(tx).update(channel, {})
    })

  const write = async () => {
    timer = undefined
    writtenAt = performance.now()
    const failures = [...waiting.values()]
    waiting = new Map()
    const cooling = failures.filter(({ cooldowns }) => cooldowns.size > 0)
    const channels = [...new Set(cooling.map(({ channel }) => channel))]
    await transact(db, async (tx) => {
      const there = channels.length === 0 ? [] : await channelsRepository(tx).lockMany(channels)
      const before = await cooldownsOf(tx, cooling)
      for (const { key, cooldowns, failure, at } of failures.toSorted((one, other) => one.key - other.key)) {
        await channelKeysRepository(tx).update([key], {
          last_error: storableText(`${failure.status} ${failure.message}`, REASON_MAX),
          last_error_time: at,
          ...(cooldowns.size > 0 && cooldownColumns(before.get(key) ?? new Map(), cooldowns, clock.now())),
        })
      }
      for (const { id } of there) await channelsRepository(tx).update(id, {})
    })
  }

  const lost = (error: unknown) => log.error('What happened to a key of a channel could not be written', { error })

  return (failure: KeyFailure) => {
    if (failure.kind === 'set_aside') {
      setAside(failure).then(catalog.forget, lost)
      return
    }
    const { channel, key, kind, model, until } = failure
    const cooldowns = waiting.get(key)?.cooldowns ?? new Map<string, number>()
    if (kind === 'cooling') cooldowns.set(model, until)
    waiting.set(key, { channel, key, failure: failure.failure, at: seconds(clock), cooldowns })
    if (timer !== undefined) return
    timer = setTimeout(() => void write().catch(lost), Math.max(0, writtenAt + EVERY_MS - performance.now()))
    timer.unref()
  }
}

/** As stored by any node, so that those of other models are kept. */
async function cooldownsOf(tx: Tx, keys: readonly WaitingFailure[]): Promise<ReadonlyMap<number, Cooldowns>> {
  if (keys.length === 0) return new Map()
  const rows = await channelKeysRepository(tx).cooldowns(keys.map(({ key }) => key))
  return new Map(rows.map(({ id, cooldowns }) => [id, parseCooldowns(cooldowns)]))
}
