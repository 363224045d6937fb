import { onTestFinished } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Role } from '@tollgate/contract'
import { createApp } from '../app.ts'
import { seconds } from '../common/clock.ts'
import { type Config, readConfig } from '../common/config.ts'
import { createLog } from '../common/log.ts'
import { createRedis } from '../common/redis.ts'
import { createChanges } from '../database/changes.ts'
import { type Db, openDatabase, transact } from '../database/client.ts'
import { auditLedger } from '../ledger/audit/audit.ts'
import { locksOf } from '../ledger/stores/locks.ts'
import { openBooks } from '../ledger/stores/open-store.ts'
import { buildParts, type Parts } from '../parts/parts.ts'
import { createLifecycle } from '../process/lifecycle.ts'
import { serveHttp } from '../process/serve-http.ts'
import { hashPassword } from '../security/passwords.ts'
import { createVault } from '../security/vault.ts'
import { createClient } from './client.ts'
import { freshDatabase } from './database.ts'
import type { Faults } from './failing-database.ts'
import { watchHolds } from './watched-holds.ts'

export type TestApp = Awaited<ReturnType<typeof testApp>>

const rootPasswordHash = await hashPassword('123456')

const running: { stop(): Promise<void> }[] = []

/** In reverse order: one may use the database of an earlier one. */
async function stopAll() {
  for (let app = running.pop(); app !== undefined; app = running.pop()) await app.stop()
}

interface Overrides extends Partial<Omit<Config, 'limits'>> {
  limits?: Partial<Config['limits']>
  /** The built console; none by default. */
  consoleFolder?: string
  /** Lets the product create root itself, which hashes a password: slow, and needed by one test only. */
  firstStart?: boolean
  /** Listens for changes by other nodes, if the database supports it. */
  listens?: boolean
  /** The statements that fail. */
  faults?: Faults
  /** Keeps and shares the database, to start a second node on it. */
  location?: string
}

/**
 * The real product on a real port with a real database of its own; only the clock can be moved. It starts without rate limits, because
 * a test calls faster than a person; the tests of the limits set them. It ends with the test.
 */
export const testApp = async ({
  limits,
  consoleFolder,
  location,
  firstStart,
  listens,
  faults,
  ...overrides
}: Overrides = {}) => {
  const place = location === undefined ? await freshDatabase() : { location, remove: async () => {} }
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-data-'))
  const config: Config = {
    ...readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir }),
    database: place.location,
    ...overrides,
    limits: { api: 0, web: 0, critical: 0, ...limits },
  }
  const { lines, logged, log } = recordedLog()
  const clock = movableClock()
  const opened = openDatabase(config.database)
  const database = faults?.database(opened) ?? opened
  const vault = createVault([new Uint8Array(32).fill(7)])
  const redis = config.redisUrl === undefined ? undefined : createRedis(config.redisUrl, log)
  const whole = await openBooks(database, { location: config.database, dataDir: config.dataDir }, clock, log)
  const { writer, holds } = watchHolds(faults?.writer(whole.writer) ?? whole.writer)
  const books = { ...whole, writer }
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
  await parts.options.refresh()
  if (firstStart !== true && location === undefined) await makeRoot(database.db, parts)
  await parts.firstStart()
  const app = createApp({
    lifecycle: createLifecycle({ noticeMs: 0, hasPeers: false }),
    config,
    clock,
    database,
    parts,
    log,
    consoleFolder: consoleFolder ?? join(dataDir, 'no-console'),
    docsFolder: join(import.meta.dir, '../../../../docs'),
  })
  if (listens === true || database.engine === 'sqlite') await changes.listen(parts.changed)
  const server = serveHttp(app, config)
  const url = `http://127.0.0.1:${server.port}`

  let stopped = false
  const handle = {
    url,
    db: database.db,
    location: config.database,
    dataDir,
    parts,
    clock,
    vault,
    /** All holds of calls to this app, open or settled, in the order of their creation. */
    holds,
    /** Calls that are held without a row of their own. */
    callsInSlices: whole.callsInSlices,
    /** Everything that was logged, one JSON line each. */
    lines,
    logged,
    /** Requests without a complete answer. */
    openRequests: () => server.pendingRequests,
    client: (headers: Record<string, string> = {}) => createClient(url, { headers }),
    audit: async () => (await auditLedger(database, seconds(clock))).findings,
    async stop() {
      if (stopped) return
      stopped = true
      parts.logTail.close()
      await server.stop(true)
      redis?.close()
      await changes.close()
      parts.watchdog.stop()
      await parts.tally.flush()
      await parts.savedFailures.flush()
      await parts.seenAddresses.flush()
      await parts.refusedCalls.close()
      await parts.recorder.flush()
      await parts.telemetry?.close()
      await books.close()
      await database.close()
      await place.remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  running.push(handle)
  onTestFinished(stopAll)
  return handle
}

/** The same account as on a first start, with a precomputed hash. */
async function makeRoot(db: Db, parts: Parts) {
  await transact(db, async (tx) => {
    const account = { username: 'root', displayName: 'Root User', role: Role.root, passwordHash: rootPasswordHash }
    const { id } = await parts.openAccount(tx, { ...account, passwordIsDefault: true })
    await parts.ledger.post(tx, { kind: 'opening', ref: `opening:${id}`, userId: id, delta: 500_000_000_000_000 })
  })
}

function recordedLog() {
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const log = createLog((line) => {
    lines.push(line)
    for (const look of waiting) look()
  })

  /** The first line that contains the text: at once, or when it is logged. */
  const logged = (text: string) => {
    const written = Promise.withResolvers<string>()
    const look = () => {
      const line = lines.find((candidate) => candidate.includes(text))
      if (line === undefined) return
      waiting.delete(look)
      written.resolve(line)
    }
    waiting.add(look)
    look()
    return written.promise
  }
  return { lines, logged, log }
}

/** Stands still unless it is moved, so that a limit does not expire by itself on a slow machine. */
function movableClock() {
  let now = Date.now()
  let passedMs = 0
  return {
    now: () => now,
    monotonic: () => passedMs,
    /** Lets time pass at once. */
    pass(seconds: number) {
      now += seconds * 1000
      passedMs += seconds * 1000
    },
    /** Sets the clock without time passing. */
    set(seconds: number) {
      now += seconds * 1000
    },
  }
}
