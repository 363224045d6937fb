import { type AuditService, OPERATOR } from '../audit/audit-service.ts'
import type { Log } from '../common/log.ts'
import { type Db, transact } from '../database/client.ts'
import type { Finding } from '../ledger/audit/report.ts'
import type { NotificationsService } from '../notifications/notifications-service.ts'

export type LedgerAlarm = ReturnType<typeof createLedgerAlarm>

interface Needs {
  db: Db
  audit: AuditService
  notifications: NotificationsService
  log: Log
}

/** More would fill a log line and a mail without adding information; `tollgate audit` lists them all. */
const NAMED_MAX = 20

/** Shown to root in the console as long as it is the newest audit result. */
const FINDING = 'books.finding'

/** Reports that the ledger does not add up: in the log, in the audit log, and to root. */
export const createLedgerAlarm =
  ({ db, audit, notifications, log }: Needs) =>
  async (findings: readonly Finding[]) => {
    if (findings.length === 0) return
    const named = findings.slice(0, NAMED_MAX).map(({ invariant, says, subject, found, expected }) => {
      return `${invariant} ${subject}: ${says} (found ${found}, expected ${expected})`
    })
    log.error('The ledger does not balance; `tollgate audit` lists every finding', { count: findings.length, named })
    const after = { findings: findings.length, named: named.join('\n') }
    await transact(db, (tx) => audit.record(tx, OPERATOR, { action: FINDING, target: 'books', after }))
    await notifications.booksDiffer({
      title: '账目核对发现异常 / The ledger does not balance',
      description: `${findings.length}`,
      content: named.join('\n'),
    })
  }

/** The finding, unless a later full audit found nothing. */
export const currentAlarm = async (audit: Pick<AuditService, 'list'>) => {
  const { rows } = await audit.list({ p: 0, target: 'books', noun: 'books', actor: '', start: 0 })
  const newest = rows.find(({ target }) => target === 'books')
  return newest?.action === FINDING ? newest : undefined
}

/** A full audit found nothing, which ends the alarm. */
export const endLedgerAlarm = async ({ db, audit }: Pick<Needs, 'db' | 'audit'>) => {
  if ((await currentAlarm(audit)) === undefined) return
  await transact(db, (tx) => audit.record(tx, OPERATOR, { action: 'books.whole', target: 'books' }))
}
