import type { Clock } from '../common/clock.ts'
import type { Db } from '../database/client.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Vault } from '../security/vault.ts'
import type { ImportReport } from './import-report.ts'
import type { SourceDatabase } from './source-database.ts'
import type { SourceUser } from './source-rows.ts'

export interface ImportNeeds {
  db: Db
  vault: Vault
  clock: Clock
  options: OptionsService
}

/** What the parts of an import share. */
export interface ImportPart {
  source: SourceDatabase
  users: readonly SourceUser[]
  /** The ids here, by those of the other gateway. */
  ids: ImportedIds
  report: ImportReport
}

export interface ImportedIds {
  users: Map<number, number>
  channels: Map<number, number>
}
