import type { Log } from '../common/log.ts'
import { DAY } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import type { Job } from '../jobs/job.ts'
import { historyRepository } from './history-repository.ts'

export type History = ReturnType<typeof createHistory>

/** Between two steps: calls come first. */
const PAUSE_MS = 20

/** Fills in, once and while calls go on, what older versions did not count. */
export const createHistory = ({ db, log }: { db: Db; log: Log }) => {
  const repository = historyRepository(db)
  let ended = false
  let filled = false

  const run = async () => {
    let steps = 0
    while (!ended && (await repository.fillSome())) {
      steps++
      await Bun.sleep(PAUSE_MS)
    }
    if (steps > 0 && !ended) log.info('The figures of earlier calls are complete', { steps })
  }

  return {
    job: { name: 'figures of earlier calls', everySec: DAY, run } satisfies Job,
    /** Whether figures of earlier calls are still missing. */
    async isFilling() {
      filled ||= await repository.isFilled()
      return !filled
    },
    /** The rest is done after the next start. */
    end() {
      ended = true
    },
  }
}
