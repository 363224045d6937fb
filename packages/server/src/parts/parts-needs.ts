import type { Clock } from '../common/clock.ts'
import type { Config } from '../common/config.ts'
import type { Log } from '../common/log.ts'
import type { Redis } from '../common/redis.ts'
import type { Changes } from '../database/changes.ts'
import type { Db } from '../database/client.ts'
import type { Journal } from '../ledger/stores/journal.ts'
import type { TakeLock } from '../ledger/stores/locks.ts'
import type { Epochs } from '../ledger/stores/owner.ts'
import type { LedgerWriter } from '../ledger/stores/writer.ts'
import type { Vault } from '../security/vault.ts'
import type { CreateTelemetry } from '../telemetry/telemetry.ts'

/** What a process opens before it can build its services. */
export interface PartsNeeds {
  config: Config
  db: Db
  changes: Pick<Changes, 'catchUp'>
  books: { writer: LedgerWriter; epochs: Epochs; journal: Journal; isReplaced(): boolean }
  locks: TakeLock
  clock: Clock
  vault: Vault
  log: Log
  redis: Redis | undefined
  /** Loaded only where traces or metrics are sent somewhere. */
  createTelemetry: CreateTelemetry | undefined
}
