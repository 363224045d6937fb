import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Clock, monotonicMs } from '../common/clock.ts'
import type { Db } from '../database/client.ts'
import { batchesRepository } from './batches-repository.ts'
import type { FollowBatch } from './follow-batch.ts'

interface Needs {
  db: Db
  catalog: CatalogService
  clock: Clock
  followBatch: FollowBatch
  /** Forgets files that their vendor has deleted. */
  removeExpired(): Promise<unknown>
}

const EVERY_SEC = 60
/** How often a node that knows of no open batch still checks, for batches of a node that is gone. */
const IDLE_CHECK_MS = 600_000
const AT_ONCE = 4

/** Polls every open batch until it is settled; runs on one node at a time and survives restarts. */
export const createBatchesJob = ({ db, catalog, clock, followBatch, removeExpired }: Needs) => {
  const repository = batchesRepository(db)
  let mayBeOpen = true
  let lookedAt = Number.NEGATIVE_INFINITY

  /** Read only now: plans are long, and someone else may have settled it in the meantime. */
  const follow = async (id: string) => {
    const row = await repository.findWithoutOwner(id)
    if (row?.settled_at === null) await followBatch.follow(row)
  }

  const run = async () => {
    lookedAt = monotonicMs(clock)
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    await removeExpired()
    const open = await repository.open()
    mayBeOpen = open.length > 0
    // One batch of a channel at a time: a vendor that does not answer holds up its own batches alone.
    const waiting = Map.groupBy(open, ({ channel_id }) => channel_id).values()
    const work = async () => {
      for (const batches of waiting) for (const { id } of batches) await follow(id)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  return {
    /** Called when this node has started a batch. */
    wake() {
      mayBeOpen = true
    },
    job: {
      name: 'batches',
      everySec: EVERY_SEC,
      isIdle: () => !mayBeOpen && monotonicMs(clock) - lookedAt < IDLE_CHECK_MS,
      run,
    },
  }
}
