import { createPool, type PoolConnection } from '../../database/postgres-pool.ts'
import {
  type Books,
  type BudgetAccount,
  type BudgetSlot,
  emptyBooks,
  type Hold,
  type TokenAccount,
  type UserAccount,
} from '../books.ts'
import { slotsNeeded } from '../budget-claims.ts'
import { type Command, needsOf } from '../commands.ts'
import { holdColumns, logColumns } from './columns.ts'
import { crashPoint } from './crash-points.ts'
import { runBatch } from './run-batch.ts'
import { type LedgerStore, LedgerUnavailable } from './store.ts'
import { addedBy, FIGURES, figureInsert, figureRows } from './usage-figures.ts'

/**
 * Errors after which the same batch can simply be run again: nothing of it was kept. A row that is there already was
 * written by our own earlier try, whose connection was lost and whose commit came through after we had looked.
 */
const REPLAY = /^(40001|40P01|23505)$/
const LOST = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|^ECONN|^57P0|^08|^53300$|^57014$|^25P03$/

const REPLAYS_MAX = 100
/** A database that restarts is waited for; one that stays away is told to the caller. */
const AWAY_MAX_MS = 5000
/** The writer gives one batch after the other. */
const LIMITS = { connectionsMax: 1, statementMs: AWAY_MAX_MS }

/**
 * The books on PostgreSQL: rows are locked in one order (holds, users, tokens), judged in memory, written back with a
 * few statements whatever the size of the batch. Their keys are not ours to change: FOR NO KEY UPDATE leaves those in
 * peace who only check that a row is there, as each second update of a token does with its user. When the connection
 * is lost at the commit its outcome is unknown; the batch is run again, and the state of the holds and
 * UNIQUE(kind, ref) make the second run harmless.
 */
export const createPostgresStore = (url: string): LedgerStore => {
  const pool = createPool(url, LIMITS)

  const attempt = async (commands: readonly Command[]) => {
    const connection = await pool.acquire()
    try {
      await connection.unsafe('BEGIN')
      const books = await load(connection, commands)
      const results = runBatch(books, commands)
      await save(connection, books)
      crashPoint('before-commit')
      await connection.unsafe('COMMIT')
      crashPoint('after-commit')
      return results
    } catch (error) {
      await connection.unsafe('ROLLBACK').catch(() => {})
      throw error
    } finally {
      connection.release()
    }
  }

  return {
    async run(commands) {
      if (commands.length === 0) return []
      const startedMs = performance.now()
      for (let replay = 0; ; replay++) {
        try {
          return await attempt(commands)
        } catch (error) {
          const lost = LOST.test(codeOf(error))
          if (lost && performance.now() - startedMs > AWAY_MAX_MS) throw new LedgerUnavailable('Away', { cause: error })
          if (!lost && (!REPLAY.test(codeOf(error)) || replay >= REPLAYS_MAX)) throw error
          await Bun.sleep(lost ? 50 : 2)
        }
      }
    },
    close: () => pool.close(),
  }
}

function codeOf(error: unknown) {
  if (!(error instanceof Error)) return ''
  const { code, errno } = error as Error & { code?: unknown; errno?: unknown }
  return /^\w{5}$/.test(String(errno)) ? String(errno) : String(code ?? '')
}

async function load(sql: PoolConnection, commands: readonly Command[]): Promise<Books> {
  const books = emptyBooks()
  const needs = commands.map(needsOf)
  const epochs = [...new Set(needs.flatMap(({ epoch }) => epoch ?? []))].sort()
  if (epochs.length > 0) {
    // Shared until we commit: nobody can declare an epoch dead while a hold is being added to it.
    const text = `SELECT epoch FROM owners WHERE epoch IN (${marks(epochs)}) AND closed_at IS NULL FOR SHARE`
    for (const { epoch } of await rows<{ epoch: string }>(sql, text, epochs)) books.living.add(epoch)
  }
  const holdIds = [...new Set(needs.map(({ holdId }) => holdId))].sort()
  const holds = await rows<Hold>(
    sql,
    `SELECT * FROM holds WHERE id IN (${marks(holdIds)}) ORDER BY id FOR NO KEY UPDATE`,
    holdIds,
  )
  for (const hold of holds) books.holds.set(hold.id, hold)

  const userIds = [...new Set([...needs.flatMap(({ userId }) => userId ?? []), ...holds.map((hold) => hold.user_id)])]
  const tokenIds = [
    ...new Set([...needs.flatMap(({ tokenId }) => tokenId ?? []), ...holds.map((hold) => hold.token_id)]),
  ]
  if (userIds.length > 0) {
    const text = `SELECT id, status, quota, held, overrun, used_quota, request_count FROM users
      WHERE id IN (${marks(userIds)}) ORDER BY id FOR NO KEY UPDATE`
    for (const user of await rows<UserAccount>(sql, text, userIds)) books.users.set(user.id, user)
  }
  if (tokenIds.length > 0) {
    const text = `SELECT id, user_id, status, remain_quota, held, used_quota, unlimited_quota, expired_time,
      accessed_time, CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END AS deleted FROM tokens
      WHERE id IN (${marks(tokenIds)}) ORDER BY id FOR NO KEY UPDATE`
    for (const token of await rows<TokenAccount>(sql, text, tokenIds)) books.tokens.set(token.id, token)
  }
  await loadBudgets(sql, books, slotsNeeded(commands, books.holds))
  return books
}

/** The budget's own row is the lock: two nodes may be in different slots of it, one of which is not there yet. */
async function loadBudgets(sql: PoolConnection, books: Books, needed: ReturnType<typeof slotsNeeded>) {
  if (needed.size === 0) return
  const ids = [...needed.keys()]
  const text = `SELECT id, quota, raise_quota, raise_until FROM budgets WHERE id IN (${marks(ids)})
    ORDER BY id FOR NO KEY UPDATE`
  for (const budget of await rows<Omit<BudgetAccount, 'slots'>>(sql, text, ids)) {
    books.budgets.set(budget.id, { ...budget, slots: new Map() })
  }
  const ranges = [...needed].flatMap(([id, { from, until }]) => [id, from, until])
  const within = ids.map((_, at) => `budget_id = $${at * 3 + 1} AND slot BETWEEN $${at * 3 + 2} AND $${at * 3 + 3}`)
  const found = await rows<BudgetSlot>(
    sql,
    `SELECT budget_id, slot, used, held FROM budget_usage WHERE ${within.join(' OR ')}`,
    ranges,
  )
  for (const slot of found) books.budgets.get(slot.budget_id)?.slots.set(slot.slot, slot)
}

async function save(sql: PoolConnection, books: Books) {
  const { changed } = books
  const pick = <K, R>(map: Map<K, R>, keys: Iterable<K>) => [...keys].flatMap((key) => map.get(key) ?? [])

  await update(
    sql,
    'users',
    ['id', 'quota', 'held', 'overrun', 'used_quota', 'request_count'],
    pick(books.users, changed.users).map((user) => [
      user.id,
      user.quota,
      user.held,
      user.overrun,
      user.used_quota,
      user.request_count,
    ]),
  )
  await update(
    sql,
    'tokens',
    ['id', 'remain_quota', 'held', 'used_quota', 'status', 'accessed_time'],
    pick(books.tokens, changed.tokens).map((token) => [
      token.id,
      token.remain_quota,
      token.held,
      token.used_quota,
      token.status,
      token.accessed_time,
    ]),
  )

  const newHolds = pick(books.holds, changed.newHolds)
  await insert(
    sql,
    `INSERT INTO holds (id, epoch, user_id, token_id, channel_id, amount, limited, progress, state, actual,
    price, created_at, closed_at, budgets)`,
    newHolds.map(holdColumns),
  )
  await update(
    sql,
    'holds',
    ['id', 'amount', 'progress', 'state', 'actual', 'channel_id', 'closed_at'],
    pick(books.holds, changed.holds)
      .filter(({ id }) => !changed.newHolds.has(id))
      .map((hold) => [hold.id, hold.amount, hold.progress, hold.state, hold.actual, hold.channel_id, hold.closed_at]),
  )
  for (const { id, budgets } of pick(books.holds, changed.claims)) {
    await sql.unsafe('UPDATE holds SET budgets = $1 WHERE id = $2', [budgets, id])
  }
  await insert(
    sql,
    'INSERT INTO ledger (ts, kind, ref, user_id, token_id, channel_id, delta, balance)',
    books.entries.map(({ ts, kind, ref, user_id, token_id, channel_id, delta, balance }) => [
      ts,
      kind,
      ref,
      user_id,
      token_id,
      channel_id,
      delta,
      balance,
    ]),
  )
  await insert(
    sql,
    `INSERT INTO logs (user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens,
    completion_tokens, quota, content, content_en, request_id, elapsed_time, first_byte_time, is_stream, detail,
    session, outcome)`,
    books.logs.map(logColumns),
  )
  const added = books.counted.map(addedBy)
  for (const figure of FIGURES) {
    const { head, tail } = figureInsert(figure)
    await insert(sql, head, figureRows(added, figure), tail)
  }
  await insert(
    sql,
    'INSERT INTO budget_usage (budget_id, slot, used, held)',
    [...changed.budgets].map(({ budget_id, slot, used, held }) => [budget_id, slot, used, held]),
    'ON CONFLICT (budget_id, slot) DO UPDATE SET used = excluded.used, held = excluded.held',
  )
  const channels = [...books.channelUsed].sort(([one], [other]) => one - other)
  for (const [id, used] of channels) {
    await sql.unsafe('UPDATE channels SET used_quota = used_quota + $1 WHERE id = $2', [used, id])
  }
}

type Value = string | number | null

/** One statement for any number of rows; the first column is the key, a text or a number, the others are numbers. */
async function update(sql: PoolConnection, table: string, columns: string[], values: Value[][]) {
  if (values.length === 0) return
  const [key, ...rest] = columns
  const keyType = typeof values[0]?.[0] === 'string' ? 'text' : 'bigint'
  const mark = (row: number, column: number) =>
    `$${row * columns.length + column + 1}::${column === 0 ? keyType : 'bigint'}`
  const tuples = values.map((_, row) => `(${columns.map((_, column) => mark(row, column))})`)
  await sql.unsafe(
    `UPDATE ${table} SET ${rest.map((column) => `${column} = new.${column}`)} FROM (VALUES ${tuples})
     AS new (${columns}) WHERE ${table}.${key} = new.${key}`,
    values.flat(),
  )
}

async function insert(sql: PoolConnection, head: string, values: Value[][], tail = '') {
  if (values.length === 0) return
  const width = values[0]?.length ?? 0
  const tuples = values.map(
    (_, row) => `(${Array.from({ length: width }, (_, column) => `$${row * width + column + 1}`)})`,
  )
  await sql.unsafe(`${head} VALUES ${tuples} ${tail}`, values.flat())
}

/** Whole numbers come as BigInt, and the reducer counts with numbers; the database's own bounds keep them exact. */
async function rows<R>(sql: PoolConnection, text: string, parameters: readonly (string | number)[]): Promise<R[]> {
  const found = await sql.unsafe(text, [...parameters])
  return found.map((row) => {
    for (const [name, value] of Object.entries(row)) if (typeof value === 'bigint') row[name] = Number(value)
    return row as R
  })
}

function marks(values: readonly unknown[]) {
  return values.map((_, index) => `$${index + 1}`).join(', ')
}
