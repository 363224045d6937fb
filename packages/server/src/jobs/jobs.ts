import type { AuditService } from '../audit/audit-service.ts'
import type { BudgetsService } from '../budgets/budgets-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { HOUR, MINUTE } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import type { IdempotencyService } from '../idempotency/idempotency-service.ts'
import { auditInWorker } from '../ledger/audit/audit-in-worker.ts'
import { compactLedger } from '../ledger/stores/compaction.ts'
import { removeClosedHolds } from '../ledger/stores/retention.ts'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import type { LogsService } from '../logs/logs-service.ts'
import type { OauthStates } from '../oauth/oauth-states.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { RecordingsService } from '../recordings/recordings-service.ts'
import type { MailCodes } from '../session/mail-codes.ts'
import type { SessionsService } from '../session/sessions-service.ts'
import type { SeenAddresses } from '../tokens/seen-addresses.ts'
import type { Job } from './job.ts'
import { endLedgerAlarm, type LedgerAlarm } from './ledger-alarm.ts'

interface Needs {
  db: Db
  /** The location of the database. */
  location: string
  clock: Clock
  sessions: SessionsService
  codes: MailCodes
  states: OauthStates
  idempotency: IdempotencyService
  audit: AuditService
  ledgerAlarm: LedgerAlarm
  budgets: BudgetsService
  seenAddresses: SeenAddresses
  recordings: Pick<RecordingsService, 'removeEnded'>
  logs: LogsService
  options: OptionsService
  alerts: { removeOld(): Promise<unknown>; run(): Promise<unknown>; isIdle(): boolean }
}

/** The background jobs. */
export const createJobs = ({
  db,
  location,
  clock,
  sessions,
  codes,
  states,
  idempotency,
  audit,
  ledgerAlarm,
  budgets,
  seenAddresses,
  recordings,
  logs,
  options,
  alerts,
}: Needs): Job[] => [
  {
    name: 'housekeeping',
    everySec: HOUR,
    run: () =>
      Promise.all([
        sessions.removeEnded(),
        codes.removeEnded(),
        states.removeEnded(),
        idempotency.removeEnded(),
        budgets.removeOldUsage(),
        alerts.removeOld(),
        seenAddresses.removeOld(),
        recordings.removeEnded(),
      ]),
  },
  {
    name: 'alerts',
    everySec: 30,
    isIdle: alerts.isIdle,
    run: alerts.run,
  },
  {
    name: 'log retention',
    everySec: HOUR,
    run: () => logs.removeOld(options.values().LogRetentionDays),
  },
  { name: 'figures', everySec: 5, onEveryNode: true, run: () => upToDateFigures(db) },
  { name: 'spans of the log', everySec: MINUTE, run: () => logs.noteSpans() },
  {
    name: 'growth of the books',
    everySec: HOUR,
    async run() {
      // Holds first: while a hold exists, the ledger rows of its call do too.
      await removeClosedHolds(db, seconds(clock))
      await compactLedger(db, seconds(clock))
    },
  },
  {
    name: 'audit',
    everySec: 24 * HOUR,
    async run() {
      const { findings } = await auditInWorker(location, seconds(clock))
      await (findings.length === 0 ? endLedgerAlarm({ db, audit }) : ledgerAlarm(findings))
    },
  },
]
