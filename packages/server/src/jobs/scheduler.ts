import type { Log } from '../common/log.ts'
import type { Job } from './job.ts'
import type { RunIfDue } from './job-locks.ts'

/** How often a node checks whether a shared job is due: one that is restarted every hour still does its share. */
const CHECK_INTERVAL_MS = 30_000

/**
 * Runs per-node jobs at their interval, and checks now and then for shared ones. A running job is not started again, and a
 * failure is logged.
 */
export const startJobs = (jobs: readonly Job[], runIfDue: RunIfDue, log: Log, checkIntervalMs = CHECK_INTERVAL_MS) => {
  const timers = jobs.map((job) => {
    let running = false
    return setInterval(
      async () => {
        if (running || job.isIdle?.() === true) return
        running = true
        try {
          await (job.onEveryNode ? job.run() : runIfDue(job))
        } catch (error) {
          log.error(`The job ${job.name} failed`, { error })
        } finally {
          running = false
        }
      },
      job.onEveryNode ? job.everySec * 1000 : checkIntervalMs,
    )
  })
  return () => timers.forEach(clearInterval)
}
