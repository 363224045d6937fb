import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type Database, openDatabase } from '../database/client.ts'
import { migrate } from '../database/migrate.ts'

/*
 * The suite runs once on each engine: TEST_ENGINE says which. Every test gets an empty, migrated database: on SQLite a copy of a file
 * that was migrated once, on PostgreSQL one that an earlier test left and that was emptied.
 */

const SERVER = process.env.TEST_POSTGRES_URL

/** In memory if the system has such a folder: thousands of commits need not wait for a disk. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** The location of an empty, migrated database, and how to remove it. */
export interface Place {
  location: string
  remove(): Promise<void>
}

export const freshDatabase = (): Promise<Place> => (engine === 'postgres' ? onPostgres() : onSqlite())

/** A fresh database, opened. */
export const testDatabase = async (): Promise<Database> => {
  const place = await freshDatabase()
  const database = openDatabase(place.location)
  return {
    ...database,
    async close() {
      await database.close()
      await place.remove()
    },
  }
}

/** A completely empty PostgreSQL database. */
export const emptyPostgres = async (): Promise<Place> => {
  const name = await createDatabase()
  const drop = () => withConnection(at('postgres'), (sql) => sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`))
  return { location: at(name), remove: drop }
}

let template: Promise<Uint8Array> | undefined

async function onSqlite(): Promise<Place> {
  template ??= makeTemplate()
  const folder = mkdtempSync(join(FOLDER, 'tollgate-test-'))
  const location = join(folder, 'tollgate.db')
  writeFileSync(location, await template)
  return { location, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

async function makeTemplate() {
  const folder = mkdtempSync(join(FOLDER, 'tollgate-template-'))
  const location = join(folder, 'template.db')
  await bringUpToDate(location)
  const bytes = readFileSync(location)
  rmSync(folder, { recursive: true })
  return bytes
}

const emptied: string[] = []

async function onPostgres(): Promise<Place> {
  const location = emptied.pop() ?? (await makeDatabase())
  const remove = async () => {
    await empty(location)
    emptied.push(location)
  }
  return { location, remove }
}

async function makeDatabase() {
  const location = at(await createDatabase())
  await bringUpToDate(location)
  return location
}

async function createDatabase() {
  const name = `test_${process.pid}_${Bun.randomUUIDv7().replaceAll('-', '')}`
  await withConnection(at('postgres'), (sql) => sql.unsafe(`CREATE DATABASE ${name}`))
  return name
}

/** The state after the migration. Remaining connections are closed, so that they cannot write into the next test. */
async function empty(location: string) {
  await withConnection(location, async (sql) => {
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    const tables = await sql`SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%'`
    const counters = await sql`SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'`
    // Without triggers the order does not matter; and deleting a few rows is ten times faster than TRUNCATE.
    await sql.unsafe(
      [
        'BEGIN',
        'SET LOCAL session_replication_role = replica',
        ...tables.map(({ name }: { name: string }) => `DELETE FROM ${name}`),
        ...counters.map(({ name }: { name: string }) => `SELECT setval('${name}', 1, false)`),
        'COMMIT',
      ].join(';'),
    )
  })
}

async function withConnection(location: string, work: (sql: SQL) => Promise<unknown>) {
  const sql = new SQL(location, { max: 1 })
  await work(sql)
  await sql.close()
}

async function bringUpToDate(location: string) {
  const database = openDatabase(location)
  await migrate(database)
  await database.close()
}

function at(database: string) {
  if (SERVER === undefined) throw new Error('TEST_ENGINE=postgres needs TEST_POSTGRES_URL')
  const url = new URL(SERVER)
  url.pathname = `/${database}`
  return url.href
}
