import { sql } from 'kysely'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import { type Db, isSqlite, transact } from '../database/client.ts'
import { addToFigures, PENDING_COLUMNS, sumsByName } from './stores/usage-figures.ts'

declare const upToDate: unique symbol

/** A database whose figures include every charge written before it was requested. */
export type FiguresDb = Db & { readonly [upToDate]: true }

/**
 * A charge writes what it adds to the figures as one row; the tables of figures are updated here, so that calls of one second share their
 * rows and two nodes do not wait for each other's. Readers of figures first add up what is pending.
 */
export const upToDateFigures = async (db: Db): Promise<FiguresDb> => {
  const [add, rowsMax] = isSqlite(db) ? [addOnSqlite, SQLITE_ROWS] : [addOnPostgres, POSTGRES_ROWS]
  // What comes meanwhile is not waited for: under load that has no end.
  for (let rows = await countPending(db); rows > 0; rows -= rowsMax) await add(db)
  return db as FiguresDb
}

async function countPending(db: Db) {
  const { count } = await db
    .selectFrom('pending_usage')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The tables of the ledger wait for the end of the transaction: at most some twenty milliseconds. */
const SQLITE_ROWS = 2000

/** The rows of calls become a row for each set of names first: a dozen tables then read those few instead of all. */
const addOnSqlite = (db: Db) =>
  transact(db, async (tx) => {
    const { rows } = await sql<{ last: number | null; end: number | null }>`SELECT max(rowid) AS last,
      (SELECT max(rowid) FROM pending_usage) AS "end"
      FROM (SELECT rowid FROM pending_usage ORDER BY rowid LIMIT ${sql.lit(SQLITE_ROWS)})`.execute(tx)
    const taken = `rowid <= ${rows[0]?.last ?? 0}`
    const summed = `rowid > ${rows[0]?.end ?? 0}`
    await run(tx, `INSERT INTO pending_usage (${PENDING_COLUMNS.join(', ')}) ${sumsByName('pending_usage', taken)}`)
    await run(tx, `DELETE FROM pending_usage WHERE ${taken}`)
    for (const statement of addToFigures('pending_usage', summed)) await run(tx, statement)
    await run(tx, `DELETE FROM pending_usage WHERE ${summed}`)
  })

/** Streams go on between two statements. */
async function run(tx: Db, statement: string) {
  await sql.raw(statement).execute(tx)
  await yieldToEventLoop()
}

const POSTGRES_ROWS = 20_000
/** `tlgf` in ASCII, unique among our locks. */
const LOCK = 0x74_6c_67_66

/** As one statement: each part sees the same rows, whatever other nodes write meanwhile. */
const POSTGRES_SQL = `WITH taken AS (DELETE FROM pending_usage
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM pending_usage LIMIT ${POSTGRES_ROWS})) RETURNING *),
  summed AS (${sumsByName('taken', 'true')}),
  ${addToFigures('summed', 'true')
    .map((statement, index) => `part${index} AS (${statement})`)
    .join(', ')}
  SELECT 1`

const addOnPostgres = (db: Db) =>
  transact(db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx)
    await sql.raw(POSTGRES_SQL).execute(tx)
  })
