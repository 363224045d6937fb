import { type Clock, seconds } from '../common/clock.ts'
import type { Db } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'
import type { TakeLock } from '../ledger/stores/locks.ts'
import type { Job } from './job.ts'

/** Timers are not exact, and a job that is due must not wait for another interval because of that. */
const NEARLY = 0.95

/** Runs the job if it is this node's turn. */
export type TakeJobLock = (job: Job) => Promise<void>

/**
 * One node at a time runs a job, and only when its time has come for all of them together. The lock is released with the
 * process, so that a node that dies in the middle of a job keeps nobody from the next one.
 */
export const createJobLocks =
  (db: Db, take: TakeLock, clock: Clock): TakeJobLock =>
  async ({ name, everySec, run }) => {
    const lock = await take(`job ${name}`)
    if (lock === undefined) return
    try {
      const meta = metaRepository(db)
      const begunAt = Number((await meta.get(`job ${name}`)) ?? 0)
      const now = seconds(clock)
      if (Math.abs(now - begunAt) < everySec * NEARLY) return
      await meta.set(`job ${name}`, String(now))
      await run()
    } finally {
      await lock.release()
    }
  }
