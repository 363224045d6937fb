import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import type { Database, Db, Engine } from './client.ts'
import { buildLogIndexes } from './log-indexes.ts'
import { up as foundation } from './migrations/2026-11-15-foundation.ts'
import { up as relay } from './migrations/2026-11-15-relay.ts'
import { up as tellNodes } from './migrations/2026-11-15-tell-nodes.ts'
import { up as volume } from './migrations/2026-11-15-volume.ts'
import { up as wideIndexes } from './migrations/2026-11-15-wide-indexes.ts'
import { up as idempotency } from './migrations/2026-11-16-idempotency.ts'
import { up as nameKeys } from './migrations/2026-11-16-name-keys.ts'
import { up as testErrors } from './migrations/2026-11-16-test-errors.ts'
import { up as twoReasons } from './migrations/2026-11-16-two-reasons.ts'
import { up as userSessions } from './migrations/2026-11-16-user-sessions.ts'
import { up as budgets } from './migrations/2026-11-17-budgets.ts'
import { up as channelTags } from './migrations/2026-11-17-channel-tags.ts'
import { up as fallbacks } from './migrations/2026-11-17-fallbacks.ts'
import { up as outcomes } from './migrations/2026-11-17-outcomes.ts'
import { up as rateLimits } from './migrations/2026-11-17-rate-limits.ts'
import { up as refusedCalls } from './migrations/2026-11-17-refused-calls.ts'
import { up as alerts } from './migrations/2026-11-18-alerts.ts'
import { up as channelKeys } from './migrations/2026-11-18-channel-keys.ts'
import { up as keyList } from './migrations/2026-11-18-key-list.ts'
import { up as logSpans } from './migrations/2026-11-18-log-spans.ts'
import { up as recordings } from './migrations/2026-11-19-recordings.ts'
import { up as batches } from './migrations/2026-11-20-batches.ts'
import { up as modelLists } from './migrations/2026-11-20-model-lists.ts'
import { up as pendingUsage } from './migrations/2026-11-21-pending-usage.ts'
import { up as recordingRequests } from './migrations/2026-11-21-recording-requests.ts'
import { up as savedFailures } from './migrations/2026-11-22-saved-failures.ts'
import { up as keyCooldowns } from './migrations/2026-11-23-key-cooldowns.ts'
import { up as usageDayIndexes } from './migrations/2026-11-26-usage-day-indexes.ts'
import { up as totalUsage } from './migrations/2026-11-27-total-usage.ts'
import { up as usageDayKeys } from './migrations/2026-11-28-usage-day-keys.ts'
import { up as keysVersion } from './migrations/2026-11-29-keys-version.ts'
import { up as figureDays } from './migrations/2026-11-30-figure-days.ts'
import { up as adminRateLimits } from './migrations/2026-12-01-admin-rate-limits.ts'
import { up as figureKeys } from './migrations/2026-12-01-figure-keys.ts'
import { up as unknownBatches } from './migrations/2026-12-02-unknown-batches.ts'
import { up as figurePacks } from './migrations/2026-12-03-figure-packs.ts'
import { up as givenIds } from './migrations/2026-12-04-given-ids.ts'

/** Column types, where the engines differ; `clustered` stores the rows in the primary key. */
interface Types {
  id: string
  int: string
  real: string
  bytes: string
  clustered: string
}

type Migrations = Record<string, (db: Kysely<unknown>, types: Types) => Promise<void>>

const TYPES: Record<Engine, Types> = {
  // AUTOINCREMENT: an id that was once in the ledger is never reused.
  sqlite: {
    id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    int: 'INTEGER',
    real: 'REAL',
    bytes: 'BLOB',
    clustered: ' WITHOUT ROWID',
  },
  postgres: {
    id: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    int: 'bigint',
    real: 'double precision',
    bytes: 'bytea',
    clustered: '',
  },
}

/** Sorted by name. */
export const MIGRATIONS: Migrations = {
  '2026-11-15-foundation': foundation,
  '2026-11-15-relay': relay,
  '2026-11-15-tell-nodes': tellNodes,
  '2026-11-15-volume': volume,
  '2026-11-15-wide-indexes': wideIndexes,
  '2026-11-16-idempotency': idempotency,
  '2026-11-16-name-keys': nameKeys,
  '2026-11-16-test-errors': testErrors,
  '2026-11-16-two-reasons': twoReasons,
  '2026-11-16-user-sessions': userSessions,
  '2026-11-17-budgets': budgets,
  '2026-11-17-channel-tags': channelTags,
  '2026-11-17-fallbacks': fallbacks,
  '2026-11-17-outcomes': outcomes,
  '2026-11-17-rate-limits': rateLimits,
  '2026-11-17-refused-calls': refusedCalls,
  '2026-11-18-alerts': alerts,
  '2026-11-18-channel-keys': channelKeys,
  '2026-11-18-key-list': keyList,
  '2026-11-18-log-spans': logSpans,
  '2026-11-19-recordings': recordings,
  '2026-11-20-batches': batches,
  '2026-11-20-model-lists': modelLists,
  '2026-11-21-pending-usage': pendingUsage,
  '2026-11-21-recording-requests': recordingRequests,
  '2026-11-22-saved-failures': savedFailures,
  '2026-11-23-key-cooldowns': keyCooldowns,
  '2026-11-26-usage-day-indexes': usageDayIndexes,
  '2026-11-27-total-usage': totalUsage,
  '2026-11-28-usage-day-keys': usageDayKeys,
  '2026-11-29-keys-version': keysVersion,
  '2026-11-30-figure-days': figureDays,
  '2026-12-01-admin-rate-limits': adminRateLimits,
  '2026-12-01-figure-keys': figureKeys,
  '2026-12-02-unknown-batches': unknownBatches,
  '2026-12-03-figure-packs': figurePacks,
  '2026-12-04-given-ids': givenIds,
}

/** Brings the schema up to date, then the indexes of the log. A database of a newer version is refused. */
export const migrate = async (database: Pick<Database, 'db' | 'engine'>, migrations = MIGRATIONS) => {
  const count = await (database.engine === 'postgres' ? oneByOne : allAtOnce)(database.db, migrations)
  await buildLogIndexes(database)
  return count
}

const allAtOnce = (db: Db, migrations: Migrations) => executed(migratorOf(db, 'sqlite', migrations).migrateToLatest())

/** Each in a transaction of its own: calls of other nodes wait for one, not for all. */
const oneByOne = async (db: Db, migrations: Migrations) => {
  let count = 0
  while (await besideOthers(db, (one) => executed(migratorOf(one, 'postgres', migrations).migrateUp()))) count++
  return count
}

const migratorOf = (db: Db, engine: Engine, migrations: Migrations) => {
  const entries = Object.entries(migrations).map(([name, up]): [string, Migration] => [
    name,
    { up: (tx: Kysely<unknown>) => up(tx, TYPES[engine]) },
  ])
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(entries) } })
}

/** The number of migrations that were run. */
async function executed(running: Promise<MigrationResultSet>) {
  const { error, results = [] } = await running
  if (error === undefined) return results.length
  throw String(error).includes('corrupted migrations') ? new NewerDatabase() : error
}

/** Not a fault of the program: whoever starts it gets one sentence. */
class NewerDatabase extends Error {
  readonly code = 'DATABASE_NEWER'

  constructor() {
    super('The database was written by a newer version of Tollgate; start that version or a newer one')
  }
}

const LOCK_TRIES = 100
const LOCK_RETRY_MS = 500

/**
 * A statement that waits for a table lock blocks everyone behind it. So it gives up soon, lets them through, and retries: long before
 * PostgreSQL looks for deadlocks, of which it might end the call of a node that is serving.
 */
const besideOthers = (db: Db, run: (one: Db) => Promise<number>) =>
  db.connection().execute(async (one) => {
    await sql`SET lock_timeout = '300ms'`.execute(one)
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await run(one)
        } catch (error) {
          if (!mayPass(error, tries)) throw error
          await Bun.sleep(LOCK_RETRY_MS)
        }
      }
    } finally {
      await sql`RESET lock_timeout`.execute(one)
    }
  })

/** It waited for too long, or was the one that a deadlock was resolved with. */
const LOCKED: readonly unknown[] = ['55P03', '40P01']
/** A table or column is gone: the library reads the list of all before each migration, while another machine may be removing one. */
const GONE: readonly unknown[] = ['42P01', '42703']
/** If it is still gone then, the migration itself is wrong. */
const GONE_TRIES = 10

function mayPass(error: unknown, tries: number) {
  if (!(error instanceof Error && 'errno' in error)) return false
  return LOCKED.includes(error.errno) ? tries < LOCK_TRIES : GONE.includes(error.errno) && tries < GONE_TRIES
}
