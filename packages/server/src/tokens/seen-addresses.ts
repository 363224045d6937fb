import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import type { Db } from '../database/client.ts'
import { type SeenAddress, seenAddressesRepository } from './seen-addresses-repository.ts'

export type SeenAddresses = ReturnType<typeof createSeenAddresses>

const WRITE_DELAY_MS = 60_000
/** Addresses per key between two writes: a key with more than that is used from everywhere. */
const OF_KEY_MAX = 50
const KEYS_MAX = 50_000
/** An address unused for this long is new again, and is removed. */
export const PAST_SEC = 7 * 86_400
const KEPT_SEC = PAST_SEC + 86_400

/**
 * The addresses from which keys are used. A call costs a look-up in memory; they are written once a minute for all calls together. A
 * process that dies loses its last minute.
 */
export const createSeenAddresses = ({ db, clock, log }: { db: Db; clock: Clock; log: Log }) => {
  let waiting = new Map<number, Map<string, { firstAt: number; lastAt: number }>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const seen = waiting
    waiting = new Map()
    const rows = [...seen].flatMap(([tokenId, addresses]) =>
      [...addresses].map(([address, { firstAt, lastAt }]): SeenAddress => ({ tokenId, address, firstAt, lastAt })),
    )
    try {
      await seenAddressesRepository(db).add(rows, PAST_SEC)
    } catch (error) {
      // They will probably come again; keeping them during a database outage is not worth the memory.
      log.warn('From where keys were used could not be written', { error, addresses: rows.length })
    }
  }

  /** Resolves when everything is written. */
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size > 0) writing = writing.then(write)
    return writing
  }

  const open = (tokenId: number) => {
    const addresses = new Map<string, { firstAt: number; lastAt: number }>()
    if (waiting.size < KEYS_MAX) waiting.set(tokenId, addresses)
    if (timer === undefined) {
      timer = setTimeout(flush, WRITE_DELAY_MS)
      timer.unref()
    }
    return addresses
  }

  return {
    note(tokenId: number, address: string) {
      const now = seconds(clock)
      const addresses = waiting.get(tokenId) ?? open(tokenId)
      const known = addresses.get(address)
      if (known !== undefined) known.lastAt = now
      else if (addresses.size < OF_KEY_MAX) addresses.set(address, { firstAt: now, lastAt: now })
    },
    flush,
    /** From where a key was used in the last days. */
    async of(tokenId: number) {
      await flush()
      return (await seenAddressesRepository(db).of([tokenId])).map(({ address }) => address)
    },
    removeOld: () => seenAddressesRepository(db).removeUnusedSince(seconds(clock) - KEPT_SEC),
  }
}
