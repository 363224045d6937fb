import type { Database } from '../../database/client.ts'
import { auditSince } from './audit.ts'
import { auditInWorker } from './audit-in-worker.ts'
import type { AuditOptions } from './audit-options.ts'
import { planRepairs, type RecordChange, type Repair, repairBooks } from './repair.ts'
import type { Finding, Report } from './report.ts'

interface Result extends Report {
  sinceSec: number | undefined
  repair: AuditOptions['repair']
  /** What would be recomputed, or was. */
  repairs: Repair[]
  /** What is not recomputed, because the rows it depends on are in doubt. */
  inDoubt: Repair[]
}

/** Runs the audit and prints the result; returns the exit code: 1 if anything does not add up. */
export const auditCommand = async (
  database: Database,
  location: string,
  { json, sinceSec, repair }: AuditOptions,
  nowSec: number,
  record: RecordChange,
  print: (text: string) => void,
) => {
  const first =
    sinceSec === undefined ? await auditInWorker(location, nowSec) : await auditSince(database, nowSec, sinceSec)
  const plan = repair === 'not' ? { repairs: [], inDoubt: [] } : planRepairs(first.findings)
  const applyPlanned = repair === 'carry out' && plan.repairs.length > 0
  const repairs = applyPlanned ? await repairBooks(database.db, plan.repairs, record) : plan.repairs
  // The repair's own report is not trusted: the ledger is audited again.
  const report = applyPlanned ? await auditInWorker(location, nowSec) : first
  const result = { ...report, sinceSec, repair, repairs, inDoubt: plan.inDoubt }
  print(json ? asJson(result, nowSec) : asText(result))
  return report.findings.length === 0 ? 0 : 1
}

function asJson({ findings, counts, sinceSec, repair, repairs, inDoubt }: Result, nowSec: number) {
  const time = (second: number) => new Date(second * 1000).toISOString()
  return JSON.stringify(
    {
      ok: findings.length === 0,
      audited_at: time(nowSec),
      since: sinceSec === undefined ? null : time(sinceSec),
      proves: sinceSec === undefined ? PROVEN_WHOLE : PROVEN_SINCE,
      rows: counts,
      findings: findings.map(({ derived, ...finding }) => ({ ...finding, repairable: derived !== undefined })),
      ...(repair === 'not' ? {} : { repaired: repair === 'carry out', repairs, in_doubt: inDoubt }),
    },
    null,
    2,
  )
}

const PROVEN_WHOLE = Array.from({ length: 15 }, (_, index) => `I${index + 1}`)
const PROVEN_SINCE = PROVEN_WHOLE.filter((invariant) => !['I3', 'I5', 'I6', 'I7'].includes(invariant))

function asText({ findings, counts, sinceSec, repair, repairs, inDoubt }: Result) {
  const change = ({ column, id, from, to }: Repair) => `  ${column} of ${id}: ${from} → ${to}`
  const verb = repair === 'carry out' ? 'Computed again:' : 'Would be computed again by --repair --yes:'
  return [
    ...(repair === 'carry out' && repairs.length > 0 ? [verb, ...repairs.map(change)] : []),
    ...findings.map(line),
    findings.length === 0 ? 'The books add up.' : `${findings.length} findings.`,
    ...(repair === 'list' && repairs.length > 0 ? [verb, ...repairs.map(change)] : []),
    ...(inDoubt.length > 0 ? [IN_DOUBT, ...inDoubt.map(change)] : []),
    ...(sinceSec === undefined ? [] : [bounds(counts, sinceSec)]),
  ].join('\n')
}

function line({ invariant, says, subject, found, expected }: Finding) {
  return `${invariant}  ${subject}: ${says} (found ${found}, expected ${expected})`
}

const IN_DOUBT = 'Not computed again, because what it would follow from is itself among the findings:'

function bounds({ ledger, holds }: Report['counts'], sinceSec: number) {
  return `Since ${new Date(sinceSec * 1000).toISOString()}: ${ledger} ledger rows, ${holds} holds.
Proved: these rows continue the balances before them, these holds were charged what they say, every balance is that of
the newest ledger row, and what is set aside is the sum of the open holds.
Not proved: what came before, and counters that are sums of the whole ledger (I3, I5, I6, I7).`
}
