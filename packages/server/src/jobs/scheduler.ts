import type { Log } from '../common/log.ts'
import type { Job } from './job.ts'
import type { TakeJobLock } from './job-locks.ts'

/** Runs each job at its interval. A job that is still running is not started again, and one that fails is logged. */
export const startJobs = (jobs: readonly Job[], takeTurn: TakeJobLock, log: Log) => {
  const timers = jobs.map((job) => {
    let running = false
    return setInterval(async () => {
      if (running) return
      running = true
      try {
        await (job.onEveryNode ? job.run() : takeTurn(job))
      } catch (error) {
        log.error(`The job ${job.name} failed`, { error })
      } finally {
        running = false
      }
    }, job.everySec * 1000)
  })
  return () => timers.forEach(clearInterval)
}
