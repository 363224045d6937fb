import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { withTimeout } from '../common/with-timeout.ts'
import type { Db } from '../database/client.ts'
import type { BooksAlarm } from './books-alarm.ts'
import type { TakeJobLock } from './job-locks.ts'

interface Needs {
  db: Db
  takeTurn: TakeJobLock
  booksAlarm: BooksAlarm
  clock: Clock
  log: Log
}

/** Workers of one machine start together; one audit is enough. */
const APART_SEC = 10

/** Callers waiting for the start come first. */
const LATER_MS = 1000

/** A quick audit of the ledger soon after a start, beside the first calls. Returns a function that stops it early. */
export const auditAtStart = ({ db, takeTurn, booksAlarm, clock, log }: Needs) => {
  const end = Promise.withResolvers<void>()
  let ended = false
  const run = async () => {
    const { auditQuickly } = await import('../ledger/audit/audit-quick.ts')
    const { findings, complete } = await auditQuickly(db, seconds(clock), () => ended)
    if (!complete && !ended)
      log.warn('The audit at the start ran out of time; the one of the night looks at everything')
    await booksAlarm(findings)
  }
  const later = async () => {
    if (await withTimeout(LATER_MS, end.promise)) return
    await takeTurn({ name: 'audit at the start', everySec: APART_SEC, run })
  }
  const done = later().catch((error) => log.error('The audit at the start failed', { error }))
  return async () => {
    ended = true
    end.resolve()
    await done
  }
}
