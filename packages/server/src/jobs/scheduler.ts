import type { Log } from '../log.ts'

export interface Job {
  name: string
  everySec: number
  run(): Promise<unknown>
}

/** Runs each job at its interval. A job that is still running is not started again, and one that fails is logged. */
export const startJobs = (jobs: readonly Job[], log: Log) => {
  const timers = jobs.map(({ name, everySec, run }) => {
    let running = false
    return setInterval(async () => {
      if (running) return
      running = true
      try {
        await run()
      } catch (error) {
        log.error(`The job ${name} failed`, { error })
      } finally {
        running = false
      }
    }, everySec * 1000)
  })
  return () => timers.forEach(clearInterval)
}
