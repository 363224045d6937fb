import type { Clock } from '../common/clock.ts'
import { HOUR } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import type { Job } from '../jobs/job.ts'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { rolledUpRepository } from './rolled-up-repository.ts'
import { FOUR_DAYS, SIXTEEN_DAYS } from './zone-time.ts'

/** Calls may be written this long after the end of a day. */
const LATE_SEC = 3 * HOUR
/** Between two steps: calls come first. */
const PAUSE_MS = 50

/** Rolls up the figures of finished days, and again those that have changed since. */
export const createRollUp = ({ db, clock }: { db: Db; clock: Clock }) => {
  let ended = false

  const run = async () => {
    const repository = rolledUpRepository(await upToDateFigures(db))
    const first = await repository.firstDay()
    if (first === undefined) return
    const closed = Math.floor(clock.now() / 1000) - LATE_SEC
    for (const span of [FOUR_DAYS, SIXTEEN_DAYS] as const) {
      for (let start = first - (first % span); start + span <= closed && !ended; start += span) {
        if (!(await repository.isUpToDate(span, start))) {
          await repository.rollUp(span, start)
          if (span === FOUR_DAYS) await repository.packKeys(start)
        }
        await Bun.sleep(PAUSE_MS)
      }
    }
  }

  return {
    job: { name: 'figures of finished days', everySec: 3 * HOUR, run } satisfies Job,
    /** The rest is done after the next start. */
    end() {
      ended = true
    },
  }
}
