import { createAuditService } from '../audit/audit-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { ConfigError } from '../common/config.ts'
import type { Log } from '../common/log.ts'
import { momentOf } from '../common/moment.ts'
import type { Db } from '../database/client.ts'
import { importGateway } from '../imports/import-gateway.ts'
import { openSource } from '../imports/source-database.ts'
import { createOptionsService } from '../options/options-service.ts'
import type { Vault } from '../security/vault.ts'
import { createAccountsService } from '../users/accounts-service.ts'

interface Needs {
  db: Db
  vault: Vault
  clock: Clock
  log: Log
  print(line: string): void
}

/** Without `--yes` it is a rehearsal: everything is tried, reported and taken back. */
export const importCommand = async (needs: Needs, location: string | undefined, flags: Record<string, string>) => {
  const { db, vault, clock, log, print } = needs
  if (location === undefined) throw new ConfigError(USAGE)
  if ((flags.yes ?? '') !== '') throw new ConfigError('--yes takes no value')
  const isReal = flags.yes !== undefined
  const logsSinceSec = logsSince(flags.logs ?? 'all', seconds(clock))
  const source = await openSource(location)
  try {
    print(
      isReal ? `Importing from ${source.kind}` : `A rehearsal: nothing is kept. What would come from ${source.kind}:`,
    )
    const audit = createAuditService({ db, clock })
    const accounts = createAccountsService({ db })
    const options = createOptionsService({ db, clock, vault, audit, log, accounts })
    const report = await importGateway({ db, vault, clock, options }, source, {
      ...{ isReal, logsSinceSec },
      onProgress: (read) => read % PROGRESS_EVERY === 0 && print(`  ${read} log entries read`),
    })
    for (const line of report.lines()) print(line)
    if (!isReal)
      print('\nWith --yes it is carried out. Stop the other gateway first, so that its balances stay as they are.')
  } finally {
    await source.close()
  }
}

const PROGRESS_EVERY = 50_000

const USAGE =
  'Which database? tollgate import /path/to/one-api.db, or an address like mysql://user:password@host:3306/oneapi or postgres://…'

function logsSince(text: string, nowSec: number) {
  if (text === 'none') return undefined
  return text === 'all' ? 0 : momentOf('logs', text, nowSec)
}
