import { type Clock, seconds } from '../common/clock.ts'
import type { Db } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'
import type { TakeLock } from '../ledger/stores/locks.ts'
import type { Job } from './job.ts'

/** Timers are not exact, and a due job must not wait for another interval because of that. */
const TIMER_TOLERANCE = 0.95

/** A failed or interrupted job is retried after this time, if that is sooner. */
const RETRY_SEC = 900

/** Runs the job if it is due and no other node runs it. */
export type RunIfDue = (job: Job) => Promise<void>

/**
 * A job runs on one node at a time, and only when it is due for all of them together: its last start and completed runs are in
 * the database, not counted from the start of a process. The lock is released with the process, so that a node that dies
 * during a job does not block the next run.
 */
export const createJobLocks =
  (db: Db, take: TakeLock, clock: Clock): RunIfDue =>
  async ({ name, everySec, run }) => {
    const meta = metaRepository(db)
    const [begun, ended] = [`job ${name}`, `job ${name} ended`]
    const isDue = async () => {
      const begunAt = (await meta.get(begun)) ?? '0'
      const sinceSec = Math.abs(seconds(clock) - Number(begunAt))
      if (sinceSec >= everySec * TIMER_TOLERANCE) return true
      return sinceSec >= RETRY_SEC && (await meta.get(ended)) !== begunAt
    }
    if (!(await isDue())) return
    const lock = await take(`job ${name}`)
    if (lock === undefined) return
    try {
      // Another node may have run it while we waited.
      if (!(await isDue())) return
      const now = String(seconds(clock))
      await meta.set(begun, now)
      await run()
      await meta.set(ended, now)
    } finally {
      await lock.release()
    }
  }
