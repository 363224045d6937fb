import { Database as SqliteFile } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { SQL } from 'bun'
import { ConfigError } from '../common/config.ts'

export type SourceRow = Record<string, unknown>

export type SourceTable = 'users' | 'tokens' | 'channels' | 'redemptions' | 'options' | 'logs'

/** The database of another gateway, which is only read. */
export interface SourceDatabase {
  kind: 'one-api' | 'new-api'
  all(table: SourceTable): Promise<SourceRow[]>
  /** Log entries in the order of their ids. */
  logsAfter(id: number, limit: number): Promise<SourceRow[]>
  count(table: SourceTable): Promise<number>
  close(): Promise<void>
}

interface Reader {
  read(text: string): Promise<SourceRow[]>
  close(): Promise<void>
}

/** A path to a SQLite file, or an address that begins with `mysql://` or `postgres://`. */
export const openSource = async (location: string): Promise<SourceDatabase> => {
  const reader = /^(mysql|mariadb|postgres(ql)?):\/\//.test(location) ? serverReader(location) : fileReader(location)
  try {
    const kind = await kindOf(reader)
    return {
      kind,
      all: (table) => reader.read(`SELECT * FROM ${table}`),
      logsAfter: (id, limit) =>
        reader.read(`SELECT * FROM logs WHERE id > ${Math.trunc(id)} ORDER BY id LIMIT ${Math.trunc(limit)}`),
      async count(table) {
        const [row] = await reader.read(`SELECT count(*) AS total FROM ${table}`)
        return Number(row?.total ?? 0)
      },
      close: reader.close,
    }
  } catch (error) {
    await reader.close().catch(() => {})
    if (error instanceof ConfigError) throw error
    // The address may contain a password.
    throw new ConfigError(`The other gateway's database cannot be read: ${messageOf(error)}`)
  }
}

async function kindOf(reader: Reader) {
  const [users] = await reader.read('SELECT * FROM users ORDER BY id LIMIT 1')
  if (users === undefined || !('aff_code' in users && 'quota' in users)) throw new ConfigError(UNKNOWN)
  return 'aff_history' in users ? 'new-api' : 'one-api'
}

const UNKNOWN = 'This is not a database of one-api or new-api with accounts in it.'

function fileReader(location: string): Reader {
  const path = location.replace(/^sqlite:(\/\/)?/, '')
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw new ConfigError(`There is no file ${path}`)
  const file = new SqliteFile(path, { readonly: true, safeIntegers: false })
  return { read: async (text) => file.prepare<SourceRow, []>(text).all(), close: async () => file.close() }
}

function serverReader(location: string): Reader {
  const sql = new SQL(location, { max: 1 })
  return { read: async (text) => [...(await sql.unsafe(text))], close: () => sql.close() }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
