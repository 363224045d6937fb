import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { closeSync, fdatasync, openSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import {
  type Books,
  type BudgetAccount,
  type BudgetSlot,
  isSettled,
  type TokenAccount,
  type UserAccount,
} from '../books.ts'
import { claimsText, type HoldRow, readHold, slotsNeeded } from '../budget-claims.ts'
import { type Command, freeInSlice, needsOf, type Result, withoutHold } from '../commands.ts'
import { createCheckpoints } from './checkpoints.ts'
import { holdColumns, logColumns } from './columns.ts'
import { crashPoint } from './crash-points.ts'
import { createKnownRows } from './known-rows.ts'
import { runBatch } from './run-batch.ts'
import { LedgerReplaced, type LedgerStore, mustBeOnDisk } from './store.ts'
import { addedBy, PENDING_COLUMNS, pendingRows } from './usage-figures.ts'

const PRAGMAS = [
  // The commit itself does not wait for the disk; `toDisk` does, without blocking the streams of this process.
  'synchronous = NORMAL',
  'foreign_keys = OFF',
  // Waiting inside SQLite would block the very thread that has to finish the other transaction.
  'busy_timeout = 0',
  // Only if the thread that makes checkpoints fails.
  'wal_autocheckpoint = 8000',
]

/** Syncs what was written through any descriptor of the file. */
const toDisk = promisify(fdatasync)

/** Deciding and writing are two steps, so that what is decided in some milliseconds can be written as one transaction. */
export interface SqliteStore extends LedgerStore {
  /** Applies commands to the books in memory. They are written by the next `write`. */
  decide(commands: readonly Command[]): (Result | Error)[]
  /** Writes everything that was decided before, and these commands, as one synchronous transaction. */
  write(commands?: readonly Command[]): (Result | Error)[]
  /** The commands that are not written yet. */
  unwritten(): readonly Command[]
  /** Forgets what is not written. */
  discard(): void
  /** Resolves when everything that was written is on disk. */
  sync(): Promise<void>
  /** No other living process has holds in this file. */
  isAlone(): boolean
}

/**
 * The ledger on SQLite: a connection of its own with prepared statements, each batch one synchronous transaction. A charge is
 * confirmed when it is on disk. The rest of the server writes through another connection; when the file is locked, both wait without
 * blocking.
 */
export const createSqliteStore = (path: string, sync: (file: number) => Promise<void> = toDisk): SqliteStore => {
  const file = new Database(path, { strict: true })
  for (const pragma of PRAGMAS) file.run(`PRAGMA ${pragma}`)
  const sql = statements(file)
  const writeAhead = openSync(`${path}-wal`, 'r')
  const opened = statSync(path)
  const known = createKnownRows()
  const checkpoints = createCheckpoints(path)

  let decided: Command[] = []
  let version = versionOf(sql)
  let books = known.open()
  let owners: number | undefined

  /** If somebody else has written meanwhile, everything that is not written yet is decided again on what the rows are now. */
  const refresh = () => {
    const current = versionOf(sql)
    if (current !== version) again(current)
  }
  const again = (current: number) => {
    known.forget()
    owners = undefined
    version = current
    books = known.open()
    load(sql, books, decided)
    runBatch(books, decided)
  }

  const decide = (commands: readonly Command[]) => {
    refresh()
    load(sql, books, commands)
    const results = runBatch(books, commands)
    decided.push(...commands.filter((_, index) => !(results[index] instanceof Error)))
    // A command that failed halfway may have changed rows.
    if (results.some((result) => result instanceof Error)) again(version)
    return results
  }

  const write = (commands: readonly Command[] = []) => {
    if (!isSameFile(path, opened)) throw new LedgerReplaced(REPLACED)
    sql.begin.run()
    const earlier = decided.length
    try {
      const results = decide(commands)
      save(sql, books)
      crashPoint('before-commit')
      sql.commit.run()
      crashPoint('after-commit')
      checkpoints.committed(decided)
      known.keep(books)
      decided = []
      books = known.open()
      return results
    } catch (error) {
      // A full disk may have already ended the transaction.
      if (file.inTransaction) sql.rollback.run()
      decided = decided.slice(0, earlier)
      again(version)
      throw error
    }
  }

  return {
    decide,
    write,
    discard() {
      decided = []
      again(version)
    },
    unwritten: () => decided,
    sync: () => sync(writeAhead),
    isAlone() {
      refresh()
      owners ??= sql.owners.get()?.count ?? 0
      return owners <= 1
    },
    async run(commands) {
      const results = await untilFree(() => write(commands))
      if (commands.some(mustBeOnDisk)) await sync(writeAhead)
      return results
    },
    async close() {
      checkpoints.close()
      closeSync(writeAhead)
      file.close()
    },
  }
}

/** While another connection writes, this one waits without blocking the process. */
export async function untilFree<T>(write: () => T) {
  for (;;) {
    try {
      return write()
    } catch (error) {
      if (!isBusy(error)) throw error
      await Bun.sleep(1)
    }
  }
}

const REPLACED =
  'The database file was replaced or removed under the running server: no calls are taken until it is started again'

function isSameFile(path: string, { ino, dev }: { ino: number; dev: number }) {
  const now = statSync(path, { throwIfNoEntry: false })
  return now?.ino === ino && now.dev === dev
}

export function isBusy(error: unknown) {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

type Sql = ReturnType<typeof statements>

/** Changes with every commit of another connection. */
const versionOf = (sql: Sql) => sql.version.get()?.data_version ?? 0

function statements(file: Database) {
  const one = <R>(text: string) => file.prepare<R, SQLQueryBindings[]>(text)
  return {
    begin: one('BEGIN IMMEDIATE'),
    commit: one('COMMIT'),
    rollback: one('ROLLBACK'),
    version: one<{ data_version: number }>('PRAGMA data_version'),
    user: one<UserAccount>(
      'SELECT id, status, quota, held, overrun, used_quota, request_count FROM users WHERE id = ?',
    ),
    token: one<TokenAccount>(`SELECT id, user_id, status, remain_quota, held, used_quota, unlimited_quota, expired_time,
      accessed_time, deleted_at IS NOT NULL AS deleted FROM tokens WHERE id = ?`),
    hold: one<HoldRow>('SELECT * FROM holds WHERE id = ?'),
    owners: one<{ count: number }>('SELECT count(*) AS count FROM owners WHERE closed_at IS NULL'),
    owner: one<{ epoch: string }>('SELECT epoch FROM owners WHERE epoch = ? AND closed_at IS NULL'),
    saveUser: one('UPDATE users SET quota = ?, held = ?, overrun = ?, used_quota = ?, request_count = ? WHERE id = ?'),
    saveToken: one(
      `UPDATE tokens SET remain_quota = ?, held = ?, used_quota = ?, status = ?, accessed_time = ? WHERE id = ?`,
    ),
    saveHold: one(
      `UPDATE holds SET amount = ?, progress = ?, state = ?, actual = ?, channel_id = ?, closed_at = ? WHERE id = ?`,
    ),
    removeHold: one('DELETE FROM holds WHERE id = ?'),
    charged: one<{ charged: number | null }>(
      "SELECT 0 - sum(delta) AS charged FROM ledger WHERE kind IN ('consume', 'late') AND ref = ?",
    ),
    logged: one('SELECT id FROM logs WHERE user_id = ? AND created_at = ? AND request_id = ?'),
    saveClaims: one('UPDATE holds SET budgets = ? WHERE id = ?'),
    newHold: one(`INSERT INTO holds (id, epoch, user_id, token_id, channel_id, amount, limited, progress, state, actual,
      price, created_at, closed_at, budgets) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    entry: one(`INSERT INTO ledger (ts, kind, ref, user_id, token_id, channel_id, delta, balance)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    log: one(`INSERT INTO logs (user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens,
      completion_tokens, quota, content, content_en, request_id, elapsed_time, first_byte_time, is_stream, detail,
      session, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    usage: one(
      `INSERT INTO pending_usage (${PENDING_COLUMNS.join(', ')}) VALUES (${PENDING_COLUMNS.map(() => '?').join(', ')})`,
    ),
    budget: one<Omit<BudgetAccount, 'slots' | 'from' | 'until'>>(
      'SELECT id, quota, raise_quota, raise_until FROM budgets WHERE id = ?',
    ),
    budgetSlots: one<BudgetSlot>(
      'SELECT budget_id, slot, used, held FROM budget_usage WHERE budget_id = ? AND slot BETWEEN ? AND ?',
    ),
    saveBudget: one(`INSERT INTO budget_usage (budget_id, slot, used, held) VALUES (?, ?, ?, ?)
      ON CONFLICT (budget_id, slot) DO UPDATE SET used = excluded.used, held = excluded.held`),
    channel: one('UPDATE channels SET used_quota = used_quota + ? WHERE id = ?'),
    channelKey: one(
      'UPDATE channel_keys SET used_quota = used_quota + ?, calls = calls + ?, accessed_time = ? WHERE id = ?',
    ),
  }
}

/** Reads what the commands need and the books do not have yet. */
function load(sql: Sql, books: Books, commands: readonly Command[]) {
  for (const command of commands) {
    loadHold(sql, books, command.id)
    if (command.type === 'hold' && command.slice !== undefined) loadHold(sql, books, command.slice)
  }
  for (const command of withoutHold(commands, books.holds)) {
    const charged = sql.charged.get(command.id)?.charged
    if (charged != null) books.charged.set(command.id, charged)
    for (const { user_id, created_at, request_id } of freeInSlice(command)) {
      if (sql.logged.get(user_id, created_at, request_id)) books.charged.set(command.id, 0)
    }
  }
  for (const command of commands) {
    const { payer, epoch } = needsOf(command)
    if (epoch !== undefined && !books.living.has(epoch) && sql.owner.get(epoch)) books.living.add(epoch)
    const hold = books.holds.get(command.id)
    remember(books.users, payer?.userId ?? hold?.user_id, sql.user)
    remember(books.tokens, payer?.tokenId ?? hold?.token_id, sql.token)
  }
  for (const [id, { from, until }] of slotsNeeded(commands, books)) {
    const budget = sql.budget.get(id)
    if (budget === null) continue
    const slots = new Map(sql.budgetSlots.all(id, from, until).map((slot): [number, BudgetSlot] => [slot.slot, slot]))
    // What is decided and not written yet is newer than its row.
    for (const slot of books.changed.budgets) if (slot.budget_id === id) slots.set(slot.slot, slot)
    books.budgets.set(id, { ...budget, from, until, slots })
  }
}

function loadHold(sql: Sql, books: Books, id: string) {
  const row = books.holds.has(id) ? null : sql.hold.get(id)
  if (row !== null) books.holds.set(id, readHold(row))
}

function remember<K extends number | string, R>(
  rows: Map<K, R>,
  key: K | undefined,
  by: Statement<R, SQLQueryBindings[]>,
) {
  if (key === undefined || rows.has(key)) return
  const row = by.get(key)
  if (row !== null) rows.set(key, row)
}

function save(sql: Sql, books: Books) {
  const { changed } = books
  for (const id of changed.users) {
    const user = books.users.get(id)
    if (user) {
      const { quota, held, overrun, used_quota, request_count } = user
      sql.saveUser.run(quota, held, overrun, used_quota, request_count, id)
    }
  }
  for (const id of changed.tokens) {
    const token = books.tokens.get(id)
    if (token) {
      const { remain_quota, held, used_quota, status, accessed_time } = token
      sql.saveToken.run(remain_quota, held, used_quota, status, accessed_time, id)
    }
  }
  for (const id of changed.newHolds) {
    const hold = books.holds.get(id)
    if (hold && !isSettled(hold)) sql.newHold.run(...holdColumns(hold))
  }
  for (const id of changed.holds) {
    const hold = books.holds.get(id)
    if (hold === undefined || changed.newHolds.has(id)) continue
    if (isSettled(hold)) sql.removeHold.run(id)
    else sql.saveHold.run(hold.amount, hold.progress, hold.state, hold.actual, hold.channel_id, hold.closed_at, id)
  }
  for (const id of changed.claims) sql.saveClaims.run(claimsText(books.holds.get(id)?.budgets ?? []), id)
  for (const entry of books.entries) {
    const { ts, kind, ref, user_id, token_id, channel_id, delta, balance } = entry
    sql.entry.run(ts, kind, ref, user_id, token_id, channel_id, delta, balance)
  }
  for (const log of books.logs) sql.log.run(...logColumns(log))
  for (const row of pendingRows(books.counted.map(addedBy))) sql.usage.run(...row)
  for (const { budget_id, slot, used, held } of changed.budgets) sql.saveBudget.run(budget_id, slot, used, held)
  for (const [id, used] of books.channelUsed) sql.channel.run(used, id)
  for (const [id, { used, calls, at }] of books.channelKeyUsed) sql.channelKey.run(used, calls, at, id)
}
