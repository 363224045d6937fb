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
}

const EVERY_SEC = 60
/** Where this node knows of no batch, it looks so seldom: one of another node that is gone for good is found all the same. */
const LOOK_MS = 600_000
const AT_ONCE = 4

/** Follows what is not paid until it has ended, by one node at a time, whichever of them was restarted meanwhile. */
export const createBatchesJob = ({ db, catalog, clock, followBatch }: Needs) => {
  const repository = batchesRepository(db)
  let mayBeOpen = true
  let lookedAt = Number.NEGATIVE_INFINITY

  const run = async () => {
    lookedAt = monotonicMs(clock)
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    const open = await repository.open()
    mayBeOpen = open.length > 0
    const waiting = open.values()
    const work = async () => {
      for (const row of waiting) await followBatch.follow(row)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  return {
    /** This node has begun one. */
    wake() {
      mayBeOpen = true
    },
    job: {
      name: 'batches',
      everySec: EVERY_SEC,
      isIdle: () => !mayBeOpen && monotonicMs(clock) - lookedAt < LOOK_MS,
      run,
    },
  }
}
