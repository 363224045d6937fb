import type { KyselyPlugin } from 'kysely'
import type { Database } from '../database/client.ts'
import type { LedgerWriter } from '../ledger/stores/writer.ts'

/** A database that fails for one chosen statement, and works again for the next. */
export interface Faults {
  /** The statement that fails, counted from now; 0 for none. */
  failAt(statement: number): void
  /** The number of statements since then. */
  count(): number
  database(database: Database): Database
  writer(writer: LedgerWriter): LedgerWriter
}

export const createFaults = (): Faults => {
  let statements = 0
  let fatal = 0
  const next = () => {
    statements++
    if (statements === fatal) throw Object.assign(new Error('The database is away'), { code: 'SQLITE_IOERR' })
  }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      next()
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    failAt(statement) {
      statements = 0
      fatal = statement
    },
    count: () => statements,
    database: (database) => ({ ...database, db: database.db.withPlugin(plugin) }),
    /** The ledger's writes go through here and not through queries. */
    writer: (writer) => ({
      ...writer,
      async submit(command) {
        next()
        return writer.submit(command)
      },
    }),
  }
}
