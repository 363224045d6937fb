import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { storableText } from '../common/storable-text.ts'
import { type Db, transact } from '../database/client.ts'
import type { KeyFailure } from '../upstream/key-pools.ts'
import { channelKeysRepository } from './channel-keys-repository.ts'
import { channelsRepository } from './channels-repository.ts'

interface Needs {
  db: Db
  catalog: Pick<CatalogService, 'forget'>
  clock: Clock
  log: Log
}

/** As much of a vendor's words as is kept. */
const REASON_MAX = 500

/** Waits of keys are written together, and other nodes hear of them no more often than this. */
const EVERY_MS = 1000

/**
 * Keeps what happened to keys. One that is set aside is written at once, and told to every node with the change of its
 * channel; a wait and an error follow with others of the same second, because a thousand keys may be told to wait together.
 * This node knows of all of it already.
 */
export const createKeyFailures = ({ db, catalog, clock, log }: Needs) => {
  let waiting = new Map<number, KeyFailure & { at: number }>()
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
    const cooling = failures.filter(({ kind }) => kind === 'cooling')
    const channels = [...new Set(cooling.map(({ channel }) => channel))]
    await transact(db, async (tx) => {
      const there = channels.length === 0 ? [] : await channelsRepository(tx).lockMany(channels)
      for (const { key, until, failure, at } of failures.toSorted((one, other) => one.key - other.key)) {
        await channelKeysRepository(tx).update([key], {
          last_error: storableText(`${failure.status} ${failure.message}`, REASON_MAX),
          last_error_time: at,
          ...(until > 0 && { cooldown_until: until }),
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
    const before = waiting.get(failure.key)
    const isLess = before?.kind === 'cooling' && failure.kind === 'error'
    waiting.set(failure.key, { ...(isLess ? { ...before, failure: failure.failure } : failure), at: seconds(clock) })
    if (timer !== undefined) return
    timer = setTimeout(() => void write().catch(lost), Math.max(0, writtenAt + EVERY_MS - performance.now()))
    timer.unref()
  }
}
