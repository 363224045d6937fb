import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type Kysely, sql } from 'kysely'
import { emptyPostgres, engine } from '../testing/database.ts'
import { openDatabase } from './client.ts'
import { MIGRATIONS, migrate } from './migrate.ts'

setDefaultTimeout(60_000)

/** A later version that alters two tables, in the opposite order to that in which calls use them. */
const LATER = {
  ...MIGRATIONS,
  '9999-two-tables': async (db: Kysely<unknown>) => {
    await sql`ALTER TABLE users ADD COLUMN later bigint`.execute(db)
    await sql`ALTER TABLE holds ADD COLUMN later bigint`.execute(db)
  },
}

const COLUMNS = Array.from({ length: 200 }, (_, number) => `column_${number}`)

/** Every second one removes a table; other machines read the list of tables and columns meanwhile. */
const REMOVING = {
  ...MIGRATIONS,
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, number) => [
      `9999-${100 + number}`,
      async (db: Kysely<unknown>) => {
        if (number % 2 === 1) await sql`DROP TABLE removed`.execute(db)
        else await sql.raw(`CREATE TABLE removed (${COLUMNS.map((name) => `${name} bigint`)})`).execute(db)
      },
    ]),
  ),
}

/** A database of its own, because it is altered: on PostgreSQL the others are used again. */
async function databaseOfThisVersion(migrations = MIGRATIONS) {
  const { location, remove } = await (engine === 'postgres' ? emptyPostgres() : emptySqlite())
  const database = openDatabase(location)
  await migrate(database, migrations)
  const end = async () => {
    await database.close()
    await remove()
  }
  return { database, location, end }
}

async function emptySqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-migrate-'))
  return { location: join(folder, 'tollgate.db'), remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

test('a database is brought up to date once, and refused by an older version afterwards', async () => {
  const { database, end } = await databaseOfThisVersion()
  expect(await migrate(database)).toBe(0)
  expect(await migrate(database, LATER)).toBe(1)
  expect(await migrate(database, LATER)).toBe(0)
  await expect(migrate(database)).rejects.toThrow('newer version')
  await end()
})

test('the totals of an upgraded database are the sums of what it counted before', async () => {
  const before = Object.entries(MIGRATIONS).filter(([name]) => name < '2026-11-27-total-usage')
  const { database, end } = await databaseOfThisVersion(Object.fromEntries(before))
  const counted = {
    model_name: 'm',
    request_count: 2,
    quota: 30,
    prompt_tokens: 5,
    completion_tokens: 7,
    failed_count: 1,
  }
  const rows = [3600, 86_400].flatMap((span) => [1, 2].map((channel) => ({ ...counted, span, start: 0, channel })))
  await database.db.insertInto('site_usage').values(rows).execute()
  await migrate(database)
  const totals = await database.db
    .selectFrom('total_usage')
    .select(['span', 'start', 'request_count', 'quota', 'prompt_tokens', 'completion_tokens', 'failed_count'])
    .orderBy('span')
    .execute()
  const sums = { start: 0, request_count: 4, quota: 60, prompt_tokens: 10, completion_tokens: 14, failed_count: 2 }
  expect(totals).toEqual([3600, 86_400].map((span) => ({ span, ...sums })))
  await end()
})

if (engine === 'postgres') {
  test('an upgrade beside a serving node ends no transaction of that node, whatever each of them has locked', async () => {
    const { database, location, end } = await databaseOfThisVersion()
    const serving = new SQL(location, { max: 1 })
    const watching = new SQL(location, { max: 1 })
    await serving.unsafe('BEGIN')
    await serving.unsafe('SELECT count(*) FROM holds')
    const upgraded = migrate(database, LATER)
    await waitsFor(watching, 'holds')
    // The upgrade has the users and waits for the holds; the call has the holds and now needs the users.
    const users = await serving.unsafe('SELECT count(*) FROM users')
    expect(users).toHaveLength(1)
    await serving.unsafe('COMMIT')
    expect(await upgraded).toBe(1)
    await Promise.all([serving.close(), watching.close()])
    await end()
  })

  test('several nodes that start together upgrade the database once', async () => {
    const { location, end } = await databaseOfThisVersion()
    const nodes = Array.from({ length: 4 }, () => openDatabase(location))
    const counts = await Promise.all(nodes.map((node) => migrate(node, LATER)))
    expect(counts.toSorted()).toEqual([0, 0, 0, 1])
    await Promise.all(nodes.map((node) => node.close()))
    await end()
  })

  test('several nodes that start together all start, also if an upgrade removes a table', async () => {
    const { location, end } = await databaseOfThisVersion()
    const nodes = Array.from({ length: 4 }, () => openDatabase(location))
    const counts = await Promise.all(nodes.map((node) => migrate(node, REMOVING)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30)
    await Promise.all(nodes.map((node) => node.close()))
    await end()
  })
}

/** Resolves when somebody waits for a lock on the table. */
async function waitsFor(watching: SQL, table: string) {
  for (;;) {
    const found = await watching.unsafe(
      `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    if (found.length > 0) return
    await Bun.sleep(5)
  }
}
