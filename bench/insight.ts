import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnalyticsQuery, Dimension } from '@tollgate/contract'
import { createAnalyticsService } from '../packages/server/src/analytics/analytics-service.ts'
import { type Database, openDatabase } from '../packages/server/src/database/client.ts'
import { migrate } from '../packages/server/src/database/migrate.ts'
import { fillUsage } from '../packages/server/src/testing/usage-rows.ts'
import { startBenchPostgres } from './lib/bench-postgres.ts'
import { measureWatchers } from './lib/watched-calls.ts'

/**
 * On both engines: how long questions about 90 days of usage take in the server, each of which also reads the 90 days
 * before; and what fifty watchers of the log add to the processor time of a call. `BENCH_ONLY=watchers` or `questions`.
 */
const LIMIT_MS = 60
const WATCHERS_LIMIT = 1.03
const ONLY = process.env.BENCH_ONLY
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 10)
const DAY = 86_400

const now = Math.floor(Date.now() / 1000)
const plain = { start: now - 90 * DAY, end: now, zone: 'UTC', step: undefined, top: 20 }
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
  ...inBothZones('by day', ['time']),
  ...inBothZones('by day and model', ['time', 'model']),
  ...inBothZones('by day and channel', ['time', 'channel']),
  ...inBothZones('by day and user', ['time', 'user']),
  ...inBothZones('by day and key', ['time', 'key']),
  ...inBothZones('by day and group', ['time', 'group']),
  ...inBothZones('by day and outcome', ['time', 'outcome']),
  ...inBothZones('by week', ['time'], { step: 'week' }),
  'by model': ask(['model']),
  'by channel': ask(['channel']),
  'by user': ask(['user']),
  'by key': ask(['key']),
  'by group': ask(['group']),
  'by channel, of a model': ask(['channel'], { model: 'model-1' }),
  'by user, of a model': ask(['user'], { model: 'model-1' }),
  'by key, of a channel': ask(['key'], { channel: 8 }),
  'by model and channel': ask(['model', 'channel']),
  'by user and model': ask(['user', 'model']),
  'by channel and user': ask(['channel', 'user']),
  'by key and model': ask(['key', 'model']),
  'by user and key': ask(['user', 'key']),
  'by group and user': ask(['group', 'user']),
  'by model and outcome': ask(['model', 'outcome']),
  ...inBothZones('by day, of a user', ['time'], { user: 'user-3' }),
  ...inBothZones('by day and model, of a user', ['time', 'model'], { user: 'user-3' }),
}

let missed = 0
await onSqlite()
await onPostgres()
console.log(
  `limits ${LIMIT_MS} ms and ${WATCHERS_LIMIT} times a call's processor time: ${missed === 0 ? 'ok' : `${missed} missed`}`,
)
process.exit(missed === 0 ? 0 : 1)

async function onSqlite() {
  if (ONLY !== 'questions') judge(await measureWatchers('sqlite', { cpuSeconds: () => 0 }))
  if (ONLY === 'watchers') return
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-insight-'))
  const database = openDatabase(join(folder, 'tollgate.db'))
  await measure(database)
  await database.close()
  rmSync(folder, { recursive: true })
}

async function onPostgres() {
  const postgres = await startBenchPostgres()
  const { cpuSeconds } = postgres
  if (ONLY !== 'questions')
    judge(await measureWatchers('postgres', { url: await postgres.emptyDatabase(), cpuSeconds }))
  if (ONLY !== 'watchers') {
    const database = openDatabase(await postgres.emptyDatabase())
    await measure(database)
    await database.close()
  }
  await postgres.stop()
}

function judge(ratio: number) {
  if (ratio > WATCHERS_LIMIT) missed++
}

async function measure(database: Database) {
  await migrate(database)
  const begun = performance.now()
  const rows = await fillUsage(database.db, 181, now)
  console.log(
    `${database.engine}: ${rows} rows by the hour made in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  )
  const service = createAnalyticsService({
    db: database.db,
    clock: { now: Date.now },
    tally: { flush: async () => {} },
    history: { isFilling: async () => false },
  })
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const times: number[] = []
    let used = process.cpuUsage()
    for (let round = 0; round <= ROUNDS; round++) {
      if (round === 1) used = process.cpuUsage()
      const at = performance.now()
      await service.read('everyone', question)
      times.push(performance.now() - at)
    }
    const { user, system } = process.cpuUsage(used)
    const processorMs = (user + system) / 1000 / ROUNDS
    const [first = 0] = times
    const slow = times.slice(1).sort((one, other) => one - other)[Math.floor(ROUNDS * 0.95)] ?? 0
    if (slow > LIMIT_MS) missed++
    console.log(
      `${database.engine} ${name}: the first ${first.toFixed(1)} ms, p95 ${slow.toFixed(1)} ms, processor ${processorMs.toFixed(1)} ms${slow > LIMIT_MS ? ' MISSED' : ''}`,
    )
  }
}

function inBothZones(name: string, by: Dimension[], more: Partial<AnalyticsQuery> = {}) {
  return {
    [name]: ask(by, { step: 'day', ...more }),
    [`${name}, in Shanghai`]: ask(by, { step: 'day', ...more, zone: 'Asia/Shanghai' }),
  }
}
