import type { Log } from '../common/log.ts'
import type { Job } from './job.ts'
import type { TakeJobLock } from './job-locks.ts'

/** How often a node looks whether a job of all nodes is due: one that is restarted every hour does its share. */
const LOOK_MS = 30_000

/**
 * Runs what each node does by itself at its interval, and looks now and then for what one of them has to do. A job that is
 * still running is not started again, and one that fails is logged.
 */
export const startJobs = (jobs: readonly Job[], takeTurn: TakeJobLock, log: Log, lookMs = LOOK_MS) => {
  const timers = jobs.map((job) => {
    let running = false
    return setInterval(
      async () => {
        if (running || job.isIdle?.() === true) return
        running = true
        try {
          await (job.onEveryNode ? job.run() : takeTurn(job))
        } catch (error) {
          log.error(`The job ${job.name} failed`, { error })
        } finally {
          running = false
        }
      },
      job.onEveryNode ? job.everySec * 1000 : lookMs,
    )
  })
  return () => timers.forEach(clearInterval)
}
