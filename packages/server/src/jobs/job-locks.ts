import { type Clock, seconds } from '../common/clock.ts'
import type { Db } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'
import type { TakeLock } from '../ledger/stores/locks.ts'
import type { Job } from './job.ts'

/** Timers are not exact, and a job that is due must not wait for another interval because of that. */
const NEARLY = 0.95

/** What failed, or died with its process, is tried again after so long, if that is sooner. */
const AGAIN_SEC = 900

/** Runs the job if its time has come and it is this node's turn. */
export type TakeJobLock = (job: Job) => Promise<void>

/**
 * One node at a time runs a job, and only when its time has come for all of them together: when it last began and which
 * of its runs came to an end is in the database, and not counted from the start of a process. The lock is released with the
 * process, so that a node that dies in the middle of a job keeps nobody from the next one.
 */
export const createJobLocks =
  (db: Db, take: TakeLock, clock: Clock): TakeJobLock =>
  async ({ name, everySec, run }) => {
    const meta = metaRepository(db)
    const [begun, ended] = [`job ${name}`, `job ${name} ended`]
    const isDue = async () => {
      const begunAt = (await meta.get(begun)) ?? '0'
      const sinceSec = Math.abs(seconds(clock) - Number(begunAt))
      if (sinceSec >= everySec * NEARLY) return true
      return sinceSec >= AGAIN_SEC && (await meta.get(ended)) !== begunAt
    }
    if (!(await isDue())) return
    const lock = await take(`job ${name}`)
    if (lock === undefined) return
    try {
      // Somebody else may have done it while we waited.
      if (!(await isDue())) return
      const now = String(seconds(clock))
      await meta.set(begun, now)
      await run()
      await meta.set(ended, now)
    } finally {
      await lock.release()
    }
  }
