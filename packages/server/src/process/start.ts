import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createApp } from '../app.ts'
import { type Clock, systemClock } from '../common/clock.ts'
import type { Config } from '../common/config.ts'
import type { Log } from '../common/log.ts'
import { createRedis } from '../common/redis.ts'
import { withTimeout } from '../common/with-timeout.ts'
import { createChanges } from '../database/changes.ts'
import { type Database, LONG_RUNNING, openDatabase } from '../database/client.ts'
import { migrate } from '../database/migrate.ts'
import { refuseSharedSessions } from '../database/own-sessions.ts'
import { isDatabaseUnavailable } from '../database/unavailable.ts'
import { auditAtStart } from '../jobs/audit-at-start.ts'
import { createJobLocks } from '../jobs/job-locks.ts'
import { startJobs } from '../jobs/scheduler.ts'
import { locksOf } from '../ledger/stores/locks.ts'
import { type OpenBooks as Books, openBooks } from '../ledger/stores/open-store.ts'
import { buildParts, type Parts } from '../parts/parts.ts'
import { loadMasterKeys } from '../security/master-key.ts'
import { sealingKeyId, sentinel } from '../security/sentinel.ts'
import { createVault } from '../security/vault.ts'
import { fillNameKeys } from '../users/fill-name-keys.ts'
import { startGarbageChecks } from './garbage.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { serveHttp } from './serve-http.ts'
import { serveMetrics } from './serve-metrics.ts'

/** How long settlements may take after their calls were ended. */
const SETTLE_MS = 5_000

// Beside `main`, which is in `src` or, built, in `dist`; the executable contains the folders.
const MAIN_FOLDER = dirname(Bun.main)
const CONSOLE_FOLDER = join(MAIN_FOLDER, Bun.isStandaloneExecutable ? 'dist' : '../../console/dist')
const DOCS_FOLDER = join(MAIN_FOLDER, Bun.isStandaloneExecutable ? '.' : '../../../docs')

/** The ledger's connection, the process lock, job locks, change notifications, and an audit. */
const BESIDE_POOL = 5

/** Opens and migrates the configured database, with the keys for its secrets. */
export const openStore = async (config: Config, limits = limitsOf(config)) => {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  await bringUpToDate(config.database)
  const database = openDatabase(config.database, limits)
  const neededKeyId = await sealingKeyId(database.db)
  const vault = createVault(loadMasterKeys(config.dataDir, config.masterKeys, neededKeyId))
  await sentinel(database.db, vault)
  return { database, vault }
}

const limitsOf = ({ databaseConnections, statementSec }: Config) => ({
  connectionsMax: databaseConnections - BESIDE_POOL,
  statementMs: statementSec * 1000,
})

/** Statements of a migration have no timeout. */
async function bringUpToDate(location: string) {
  try {
    const database = openDatabase(location, LONG_RUNNING)
    try {
      if (database.engine === 'postgres') await reachPostgres(location)
      await migrate(database)
    } finally {
      await database.close()
    }
  } catch (error) {
    throw isOfSqlite(error) ? naming(`The database ${location}`, error) : error
  }
}

async function reachPostgres(location: string) {
  try {
    await refuseSharedSessions(location)
  } catch (error) {
    if (!(error instanceof Error) || !isDatabaseUnavailable(error)) throw error
    throw naming(`PostgreSQL at ${new URL(location).host}`, error)
  }
}

const isOfSqlite = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')

/** Neither engine says which database it could not open or write. */
const naming = (what: string, error: Error) =>
  Object.assign(new Error(`${what}: ${error.message}`, { cause: error }), { code: 'code' in error ? error.code : '' })

/** Starts the product and returns how to stop it. */
export const start = async (config: Config, log: Log, clock: Clock = systemClock) => {
  const { database, vault } = await openStore(config)
  const redis = config.redisUrl === undefined ? undefined : createRedis(config.redisUrl, log)
  const books = await openBooks(database, { location: config.database, dataDir: config.dataDir }, clock, log)
  const locks = locksOf(database.engine, config.database)
  const createTelemetry = config.otlp && (await import('../telemetry/telemetry.ts')).createTelemetry
  const changes = createChanges(database, config.database)
  const parts = buildParts({
    config,
    db: database.db,
    changes,
    books,
    locks,
    clock,
    vault,
    log,
    redis,
    createTelemetry,
  })
  await fillNameKeys(database.db)
  await parts.options.refresh()
  await parts.firstStart()
  await changes.listen(parts.changed)
  const hasPeers = database.engine === 'postgres'
  const lifecycle = createLifecycle({ noticeMs: config.stopNoticeSec * 1000, hasPeers })
  const folders = { consoleFolder: CONSOLE_FOLDER, docsFolder: DOCS_FOLDER }
  const app = createApp({ config, clock, database, parts, log, lifecycle, ...folders })
  const { server, metricsServer } = await listen(app, config, parts).catch(async (error) => {
    // Closed, or the other nodes would consider this one dead.
    await changes.close()
    await books.close()
    await database.close()
    throw error
  })
  const runIfDue = createJobLocks(database.db, locks, clock)
  const stopJobs = startJobs([...parts.jobs, books.sweeper], runIfDue, log)
  startGarbageChecks()
  log.info(`Tollgate listens on http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${server.port}`, {
    database: database.engine,
    data: config.dataDir,
  })
  const endAudit = auditAtStart({ db: database.db, runIfDue, ledgerAlarm: parts.ledgerAlarm, clock, log })
  return {
    url: server.url,
    /** At once: without notice to a balancer, for a person who waits at a terminal. */
    stop: ({ atOnce = false } = {}) =>
      stop(
        { config, server, metricsServer, stopJobs, endAudit, redis, changes, database, books, lifecycle, parts },
        atOnce,
      ),
  }
}

/** Fails when a port is taken. */
async function listen(app: Parameters<typeof serveHttp>[0], config: Config, { metrics }: Parts) {
  const server = serveHttp(app, config)
  try {
    return { server, metricsServer: serveMetrics(config, metrics) }
  } catch (error) {
    await server.stop(true)
    throw error
  }
}

interface ServerParts {
  config: Config
  server: Bun.Server<unknown>
  metricsServer: Bun.Server<unknown> | undefined
  stopJobs: () => void
  endAudit: () => Promise<void>
  redis: { close(): void } | undefined
  changes: { close(): Promise<void> }
  database: Database
  books: Books
  lifecycle: Lifecycle
  parts: Parts
}

async function stop(started: ServerParts, atOnce: boolean) {
  const { server, lifecycle, parts } = started
  started.stopJobs()
  parts.history.end()
  parts.packDays.end()
  // Balancers notified first send nothing here when the port closes.
  await lifecycle.drain({ atOnce })
  parts.logTail.close()
  // No new connections; running calls may finish. Those that do not in time are ended and settle what they delivered.
  const finished = server.stop()
  if (!(await withTimeout(started.config.drainSec * 1000, finished))) {
    parts.watchdog.endAll()
    await withTimeout(SETTLE_MS, finished)
    await server.stop(true)
  }
  // Calls whose clients disconnected may still wait for the vendor's usage: they settle with what they know.
  parts.watchdog.endAll()
  await withTimeout(SETTLE_MS, parts.watchdog.idle())
  parts.watchdog.stop()
  // In parallel: an unavailable database is waited for once, and the next start finds what was not written.
  await withTimeout(
    SETTLE_MS,
    Promise.allSettled([
      parts.tally.flush(),
      parts.savedFailures.flush(),
      parts.seenAddresses.flush(),
      parts.refusedCalls.close(),
      parts.recorder.flush(),
      parts.telemetry?.close(),
      started.endAudit(),
    ]),
  )
  await started.metricsServer?.stop(true)
  started.redis?.close()
  await withTimeout(SETTLE_MS, Promise.allSettled([started.changes.close(), started.books.close()]))
  await withTimeout(SETTLE_MS, started.database.close())
}
