import type { Log } from '../common/log.ts'
import type { Db } from '../database/client.ts'
import { latencyRepository } from './latency-repository.ts'
import { createLatencySums, type TimedCall } from './latency-sums.ts'

export type LatencyTally = ReturnType<typeof createLatencyTally>

const WRITE_DELAY_MS = 10_000

/**
 * Adds up how long calls took, and writes the sums some seconds later: percentiles are estimates, and no call waits for them. A process
 * that dies takes the last seconds with it.
 */
export const createLatencyTally = ({ db, log }: { db: Db; log: Log }) => {
  const repository = latencyRepository(db)
  let sums = createLatencySums()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const rows = sums.rows()
    sums = createLatencySums()
    try {
      await repository.add(rows)
    } catch (error) {
      log.warn('How long calls took could not be written yet', { error, rows: rows.length })
      sums.addRows(rows)
    }
  }

  /** Resolves when all that was noted is written. */
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    note(call: TimedCall) {
      sums.add(call)
      if (timer !== undefined) return
      timer = setTimeout(flush, WRITE_DELAY_MS)
      timer.unref()
    },
    flush,
  }
}
