import { type Tx, transact } from '../database/client.ts'
import { continueIds } from '../database/given-ids.ts'
import { lookupHash } from '../security/random.ts'
import { importAccounts } from './import-accounts.ts'
import { importChannels } from './import-channels.ts'
import { importCodes } from './import-codes.ts'
import { importLogs } from './import-logs.ts'
import type { ImportedIds, ImportNeeds, ImportPart } from './import-needs.ts'
import { createReport, type ImportReport } from './import-report.ts'
import { importSettings } from './import-settings.ts'
import type { SourceDatabase } from './source-database.ts'
import { SourceUser } from './source-rows.ts'

interface Wishes {
  /** False: everything is done, reported and taken back. */
  isReal: boolean
  /** Log entries from this time on; undefined for none. */
  logsSinceSec: number | undefined
  onProgress(logsRead: number): void
}

/** Takes back what a rehearsal has written. */
class Rehearsed extends Error {}

/**
 * Brings the accounts, keys, channels, codes, settings and the log of another gateway here. Accounts, keys, channels and codes arrive in
 * one transaction, or not at all.
 */
export const importGateway = async (
  needs: ImportNeeds,
  source: SourceDatabase,
  wishes: Wishes,
): Promise<ImportReport> => {
  const { db, options } = needs
  const report = createReport()
  const ids: ImportedIds = { users: new Map(), channels: new Map() }
  const users = (await source.all('users')).map((row) => SourceUser.parse(row))
  const work = async (tx: Tx) => {
    await importRows(needs, tx, { source, users, ids, report })
    if (!wishes.isReal) throw new Rehearsed()
  }
  await transact(db, work).catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error
  })
  await importSettings(options, source, report, wishes.isReal)
  if (wishes.logsSinceSec === undefined) return report
  if (wishes.isReal) {
    const first = users.reduce((one, other) => (one.id < other.id ? one : other))
    const name = lookupHash(`${source.kind} ${first.id} ${first.username} ${first.aff_code}`).slice(0, 16)
    await importLogs({
      ...{ db, source, report, name, ids, sinceSec: wishes.logsSinceSec },
      onProgress: wishes.onProgress,
    })
  } else report.created('log entries', await source.count('logs'))
  return report
}

async function importRows(needs: ImportNeeds, tx: Tx, part: ImportPart) {
  await importAccounts(needs, tx, part)
  await importChannels(needs, tx, part)
  await importCodes(needs, tx, part)
  await continueIds(tx, ['users', 'tokens', 'channels', 'redemptions'])
}
