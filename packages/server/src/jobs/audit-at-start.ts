import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { withTimeout } from '../common/with-timeout.ts'
import type { Db } from '../database/client.ts'
import type { RunIfDue } from './job-locks.ts'
import type { LedgerAlarm } from './ledger-alarm.ts'

interface Needs {
  db: Db
  runIfDue: RunIfDue
  ledgerAlarm: LedgerAlarm
  clock: Clock
  log: Log
}

/** Workers of one machine start together; one audit is enough. */
const INTERVAL_MIN_SEC = 10

/** Callers waiting for the start come first. */
const START_DELAY_MS = 1000

/** A quick audit of the ledger soon after a start, beside the first calls. Returns a function that stops it early. */
export const auditAtStart = ({ db, runIfDue, ledgerAlarm, clock, log }: Needs) => {
  const end = Promise.withResolvers<void>()
  let ended = false
  const run = async () => {
    const { auditQuickly } = await import('../ledger/audit/audit-quick.ts')
    const { findings, complete } = await auditQuickly(db, seconds(clock), () => ended)
    if (!complete && !ended) log.warn('The audit at the start ran out of time; the nightly audit checks everything')
    await ledgerAlarm(findings)
  }
  const afterStart = async () => {
    if (await withTimeout(START_DELAY_MS, end.promise)) return
    await runIfDue({ name: 'audit at the start', everySec: INTERVAL_MIN_SEC, run })
  }
  const done = afterStart().catch((error) => log.error('The audit at the start failed', { error }))
  return async () => {
    ended = true
    end.resolve()
    await done
  }
}
