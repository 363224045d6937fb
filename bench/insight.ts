import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnalyticsQuery, Dimension } from '@tollgate/contract'
import { createAnalyticsService } from '../packages/server/src/analytics/analytics-service.ts'
import { createPackDays } from '../packages/server/src/analytics/pack-days.ts'
import { type Database, LONG_RUNNING, openDatabase } from '../packages/server/src/database/client.ts'
import { migrate } from '../packages/server/src/database/migrate.ts'
import { fillUsage } from '../packages/server/src/testing/usage-rows.ts'
import { startBenchPostgres } from './lib/bench-postgres.ts'
import { median, p95 } from './lib/quantiles.ts'
import { measureRequests } from './lib/request-lookups.ts'
import { measureScrapes } from './lib/scrapes.ts'
import { measureWatchers } from './lib/watched-calls.ts'

/**
 * On both engines: the server time of analytics queries over 90 days, each of which also reads the 90 days
 * before; the time to find a request among five million log entries (`BENCH_ROWS`); and what fifty watchers of the
 * log add to the processor time of a call. Also a scrape of `/metrics`. `BENCH_ONLY=questions`, `requests`,
 * `watchers` or `scrapes` measures one of them. The first time of each query, with nothing cached, is reported but not judged.
 *
 * Queries and lookups are measured in processor time of the process and the database, because elapsed time includes other load of
 * the machine.
 */
const LIMIT_MS = 60
const REQUEST_LIMIT_MS = 5
const SCRAPE_LIMIT_MS = 10
const WATCHERS_LIMIT = 1.03
const ONLY = process.env.BENCH_ONLY
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 10)
const DAY = 86_400

const now = Math.floor(Date.now() / 1000)
const plain = { start: now - 90 * DAY, end: now, zone: 'UTC', step: undefined, top: 20, order: 'quota' as const }
const unfiltered = {
  model: undefined,
  channel: undefined,
  user: undefined,
  group: undefined,
  key: undefined,
  outcome: undefined,
}
const ask = (by: Dimension[], more: Partial<AnalyticsQuery> = {}): AnalyticsQuery => ({
  ...plain,
  ...unfiltered,
  by,
  ...more,
})

const QUESTIONS: Record<string, AnalyticsQuery> = {
  ...inAllZones('by day', ['time']),
  ...inAllZones('by day and model', ['time', 'model']),
  ...inAllZones('by day and channel', ['time', 'channel']),
  ...inAllZones('by day and user', ['time', 'user']),
  ...inAllZones('by day and key', ['time', 'key']),
  ...inAllZones('by day and group', ['time', 'group']),
  ...inAllZones('by day and outcome', ['time', 'outcome']),
  ...inAllZones('by week', ['time'], { step: 'week' }),
  'by model': ask(['model']),
  'by channel': ask(['channel']),
  'by user': ask(['user']),
  'by key': ask(['key']),
  'by group': ask(['group']),
  'by channel, of a model': ask(['channel'], { model: 'model-1' }),
  'by user, of a model': ask(['user'], { model: 'model-1' }),
  'by key, of a channel': ask(['key'], { channel: 8 }),
  'by user and model, of a channel': ask(['user', 'model'], { channel: 8 }),
  ...inAllZones('by day and user, of a model', ['time', 'user'], { model: 'model-1' }),
  ...inAllZones('by day, of a model', ['time'], { model: 'model-1' }),
  ...inAllZones('by day and model, of a small group', ['time', 'model'], { group: 'team-1' }),
  ...inAllZones('by day and model, of most users', ['time', 'model'], { group: 'default' }),
  'by model and channel': ask(['model', 'channel']),
  'by user and model': ask(['user', 'model']),
  'by channel and user': ask(['channel', 'user']),
  'by key and model': ask(['key', 'model']),
  'by user and key': ask(['user', 'key']),
  'by group and user': ask(['group', 'user']),
  'by model and outcome': ask(['model', 'outcome']),
  ...inAllZones('by day, of a user', ['time'], { user: 'user-3' }),
  ...inAllZones('by day and model, of a user', ['time', 'model'], { user: 'user-3' }),
}

const isWanted = (part: string) => ONLY === undefined || ONLY === part

let missed = 0
if (isWanted('scrapes')) judge(measureScrapes(), SCRAPE_LIMIT_MS)
await onSqlite()
await onPostgres()
console.log(
  `limits ${LIMIT_MS} ms for a question, ${REQUEST_LIMIT_MS} ms for a request, ${SCRAPE_LIMIT_MS} ms for a scrape, ${WATCHERS_LIMIT} times a call's processor time: ${missed === 0 ? 'ok' : `${missed} missed`}`,
)
process.exit(missed === 0 ? 0 : 1)

async function onSqlite() {
  const cpuSeconds = () => 0
  if (isWanted('watchers')) judge(await measureWatchers('sqlite', { cpuSeconds }), WATCHERS_LIMIT)
  for (const work of works(cpuSeconds)) {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-insight-'))
    const database = openDatabase(join(folder, 'tollgate.db'))
    await migrate(database)
    await work(database)
    await database.close()
    rmSync(folder, { recursive: true })
  }
}

async function onPostgres() {
  if (ONLY === 'scrapes') return
  const postgres = await startBenchPostgres()
  const { cpuSeconds } = postgres
  if (isWanted('watchers'))
    judge(await measureWatchers('postgres', { url: await postgres.emptyDatabase(), cpuSeconds }), WATCHERS_LIMIT)
  for (const work of works(cpuSeconds)) {
    const database = openDatabase(await postgres.emptyDatabase(), LONG_RUNNING)
    await migrate(database)
    await work(database)
    await database.close()
  }
  await postgres.stop()
}

function works(cpuSeconds: () => number) {
  return [
    ...(isWanted('requests')
      ? [async (database: Database) => judge(await measureRequests(database, now, cpuSeconds), REQUEST_LIMIT_MS)]
      : []),
    ...(isWanted('questions') ? [(database: Database) => measure(database, cpuSeconds)] : []),
  ]
}

function judge(value: number, limit: number) {
  if (value > limit) missed++
}

async function measure(database: Database, databaseSeconds: () => number) {
  const started = performance.now()
  const rows = await fillUsage(database, 181, now)
  console.log(
    `${database.engine}: ${rows} rows by the hour made in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  )
  const clock = { now: Date.now }
  const packedAt = performance.now()
  await createPackDays({ db: database.db, clock }).job.run()
  console.log(`${database.engine}: days packed in ${((performance.now() - packedAt) / 1000).toFixed(1)} s`)
  const newService = () =>
    createAnalyticsService({
      ...{ db: database.db, clock, tally: { flush: async () => {} }, history: { isFilling: async () => false } },
    })
  const firsts: number[] = []
  for (const [name, question] of Object.entries(QUESTIONS)) {
    // Alone with an empty cache, whatever was asked before.
    const service = newService()
    const times: number[] = []
    const spent: number[] = []
    const databaseFirst = databaseSeconds()
    let databaseStart = databaseFirst
    for (let round = 0; round <= ROUNDS; round++) {
      if (round === 1) databaseStart = databaseSeconds()
      const used = process.cpuUsage()
      const at = performance.now()
      await service.read('everyone', question)
      times.push(performance.now() - at)
      const { user, system } = process.cpuUsage(used)
      spent.push((user + system) / 1000)
    }
    // Another process's ticks are too coarse for a single round.
    const inDatabase = ((databaseSeconds() - databaseStart) * 1000) / ROUNDS
    const [own = 0, ...rest] = spent
    const first = own + (databaseStart - databaseFirst) * 1000
    firsts.push(first)
    const slow = p95(rest) + inDatabase
    judge(slow, LIMIT_MS)
    console.log(
      `${database.engine} ${name}: processor p95 ${slow.toFixed(1)} ms, median ${(median(rest) + inDatabase).toFixed(1)} ms, the first ${first.toFixed(1)} ms; by the clock p95 ${p95(times.slice(1)).toFixed(1)} ms, the first ${times[0]?.toFixed(1)} ms${slow > LIMIT_MS ? ' MISSED' : ''}`,
    )
  }
  console.log(
    `${database.engine}, first questions: processor time median ${median(firsts).toFixed(1)} ms, p95 ${p95(firsts).toFixed(1)} ms; ${firsts.filter((first) => first > LIMIT_MS).length} of ${firsts.length} above ${LIMIT_MS} ms`,
  )
}

function inAllZones(name: string, by: Dimension[], more: Partial<AnalyticsQuery> = {}) {
  return {
    [name]: ask(by, { step: 'day', ...more }),
    [`${name}, in Shanghai`]: ask(by, { step: 'day', ...more, zone: 'Asia/Shanghai' }),
    [`${name}, in New York`]: ask(by, { step: 'day', ...more, zone: 'America/New_York' }),
  }
}
