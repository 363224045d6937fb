import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type Database, openDatabase } from '../database/client.ts'
import { migrate } from '../database/migrate.ts'

/*
 * The suite runs once on each engine: TEST_ENGINE says which. On PostgreSQL every test gets a copy of a migrated
 * template, which costs a file copy; on SQLite a file of its own.
 */

const SERVER = process.env.TEST_POSTGRES_URL

export const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** Where a fresh, empty, migrated database is, and how to get rid of it. */
export interface Place {
  location: string
  remove(): Promise<void>
}

export const freshDatabase = async (): Promise<Place> => (engine === 'postgres' ? onPostgres() : onSqlite())

/** A fresh database, opened. */
export const testDatabase = async (): Promise<Database> => {
  const place = await freshDatabase()
  const database = openDatabase(place.location)
  await migrate(database)
  return {
    ...database,
    async close() {
      await database.close()
      await place.remove()
    },
  }
}

function onSqlite(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  return {
    location: join(folder, 'tollgate.db'),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

let template: Promise<string> | undefined

async function onPostgres(): Promise<Place> {
  template ??= makeTemplate()
  const name = `test_${process.pid}_${Bun.randomUUIDv7().replaceAll('-', '')}`
  await administer(`CREATE DATABASE ${name} TEMPLATE ${await template}`)
  return { location: at(name), remove: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

async function makeTemplate() {
  const name = `template_${process.pid}`
  await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await administer(`CREATE DATABASE ${name}`)
  const database = openDatabase(at(name))
  await migrate(database)
  await database.close()
  return name
}

async function administer(statement: string) {
  const sql = new SQL(at('postgres'), { max: 1 })
  await sql.unsafe(statement)
  await sql.close()
}

function at(database: string) {
  if (SERVER === undefined) throw new Error('TEST_ENGINE=postgres needs TEST_POSTGRES_URL')
  const url = new URL(SERVER)
  url.pathname = `/${database}`
  return url.href
}
