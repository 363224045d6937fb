import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { DAY, HOUR } from '../common/time-units.ts'
import { type Db, openDatabase } from '../database/client.ts'
import { testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { upToDateFigures } from './up-to-date-figures.ts'

const NOON = 20_000 * DAY + 12 * HOUR

/** Each table of figures, by its sums of calls and quota; those by span occur twice. */
const TABLES = [
  ...['usage_hours', 'usage_days', 'usage_models'].map((table) => ({ table, where: '' })),
  ...['total_usage', 'token_usage', 'site_usage', 'key_usage'].flatMap((table) =>
    [HOUR, DAY].map((span) => ({ table, where: ` WHERE span = ${span}` })),
  ),
]

async function sums(db: Db) {
  const found: Record<string, { calls: number; quota: number }> = {}
  for (const { table, where } of TABLES) {
    const { rows } = await sql<{ calls: number; quota: number }>`SELECT
      CAST(coalesce(sum(request_count), 0) AS bigint) AS calls, CAST(coalesce(sum(quota), 0) AS bigint) AS quota
      FROM ${sql.raw(table + where)}`.execute(db)
    if (rows[0] !== undefined) found[table + where] = rows[0]
  }
  return found
}

const inEvery = (sum: { calls: number; quota: number }) =>
  Object.fromEntries(TABLES.map(({ table, where }) => [table + where, sum]))

const calls = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ user_id: 1 + ((from + index) % 7), token_name: `key-${(from + index) % 3}`, channel: (from + index) % 5 },
    ...{ model_name: `model-${(from + index) % 11}`, created_at: NOON + (from + index) * 60, quota: 10 },
  }))

test('every call is counted once in every table, however many are pending and however often they are added up', async () => {
  const app = await testApp()
  // More than one transaction takes.
  for (let made = 0; made < 2500; made += 250) await makeLogs(app, ...calls(250, made))
  for (let times = 0; times < 2; times++) {
    await upToDateFigures(app.db)
    expect(await sums(app.db)).toEqual(inEvery({ calls: 2500, quota: 25_000 }))
  }
  await makeLogs(app, ...calls(3))
  expect(await sums(await upToDateFigures(app.db))).toEqual(inEvery({ calls: 2503, quota: 25_030 }))
})

test('nodes that add up at the same time as calls are written count each call once', async () => {
  const app = await testApp()
  // A SQLite file has one node.
  const other = engine === 'postgres' ? openDatabase(app.location) : { db: app.db, close: async () => {} }
  let written = false
  const write = async () => {
    for (let round = 0; round < 30; round++) await makeLogs(app, ...calls(4, round))
    written = true
  }
  const keepAddingUp = async (db: Db) => {
    while (!written) await upToDateFigures(db)
  }
  await Promise.all([write(), keepAddingUp(app.db), keepAddingUp(other.db)])
  expect(await sums(await upToDateFigures(other.db))).toEqual(inEvery({ calls: 120, quota: 1200 }))
  await other.close()
})

test('rows that cannot be added up stay pending, and none of them is in any table', async () => {
  const app = await testApp()
  await makeLogs(app, ...calls(20))
  await sql`ALTER TABLE key_usage RENAME TO away`.execute(app.db)
  await expect(upToDateFigures(app.db)).rejects.toThrow('key_usage')
  await sql`ALTER TABLE away RENAME TO key_usage`.execute(app.db)
  expect(await sums(app.db)).toEqual(inEvery({ calls: 0, quota: 0 }))
  expect(await sums(await upToDateFigures(app.db))).toEqual(inEvery({ calls: 20, quota: 200 }))
})

test('a call that failed is counted where outcomes are, and leaves no empty row elsewhere', async () => {
  const app = await testApp()
  await makeLogs(app, { type: 6, created_at: NOON, model_name: 'a', outcome: 'timeout' })
  const figures = await upToDateFigures(app.db)
  expect(
    await figures.selectFrom('site_usage').select(['span', 'failed_count', 'timeout_count']).orderBy('span').execute(),
  ).toEqual([
    { span: HOUR, failed_count: 1, timeout_count: 1 },
    { span: DAY, failed_count: 1, timeout_count: 1 },
  ])
  for (const table of ['usage_models', 'token_usage'] as const)
    expect(await figures.selectFrom(table).selectAll().execute()).toEqual([])
})
