import { createPool, type PoolConnection } from '../../database/postgres-pool.ts'
import {
  type Books,
  type BudgetAccount,
  type BudgetSlot,
  emptyBooks,
  type Hold,
  isSettled,
  type TokenAccount,
  type UserAccount,
} from '../books.ts'
import { slotsNeeded } from '../budget-claims.ts'
import { type Command, needsOf, withoutHold } from '../commands.ts'
import { holdColumns, logColumns } from './columns.ts'
import { crashPoint } from './crash-points.ts'
import { runBatch } from './run-batch.ts'
import { type LedgerStore, LedgerUnavailable } from './store.ts'
import { addedBy, PENDING_COLUMNS, pendingRows } from './usage-figures.ts'

/**
 * Errors after which the batch can simply be run again, because nothing of it was kept. A duplicate row was written by our own
 * earlier attempt, whose connection was lost and whose commit succeeded after we had looked.
 */
const REPLAY = /^(40001|40P01|23505)$/
const LOST = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|^ECONN|^57P0|^08|^53300$|^57014$|^25P03$/

const REPLAYS_MAX = 100
/** A restarting database is waited for; a longer outage is reported to the caller. */
const AWAY_MAX_MS = 5000
/** The writer submits one batch after the other. */
const LIMITS = { connectionsMax: 1, statementMs: AWAY_MAX_MS, byKeys: true }

/**
 * The ledger on PostgreSQL: rows are locked in one order (holds, users, tokens), processed in memory, and written back with a
 * few statements whatever the size of the batch. FOR NO KEY UPDATE does not block foreign key checks, such as those of each
 * second update of a token. When the connection is lost at the commit its outcome is unknown; the batch is run again, and the
 * state of the holds and UNIQUE(kind, ref) make the second run harmless.
 */
export const createPostgresStore = (url: string): LedgerStore => {
  const pool = createPool(url, LIMITS)

  const attempt = async (commands: readonly Command[]) => {
    const connection = await pool.acquire()
    try {
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
  const holdIds = [...new Set(needs.map(({ holdId }) => holdId))].sort()
  const [, living, holds] = await Promise.all([
    sql.unsafe('BEGIN'),
    // Shared until we commit: an epoch cannot be declared dead while a hold is being added to it.
    epochs.length === 0
      ? []
      : rows<{ epoch: string }>(
          sql,
          'SELECT epoch FROM owners WHERE epoch = ANY($1::text::text[]) AND closed_at IS NULL FOR SHARE',
          epochs,
        ),
    rows<Hold>(sql, 'SELECT * FROM holds WHERE id = ANY($1::text::text[]) ORDER BY id FOR NO KEY UPDATE', holdIds),
  ])
  for (const { epoch } of living) books.living.add(epoch)
  for (const hold of holds) books.holds.set(hold.id, hold)
  await loadCharged(sql, books, withoutHold(commands, books.holds))

  const userIds = [...new Set([...needs.flatMap(({ userId }) => userId ?? []), ...holds.map((hold) => hold.user_id)])]
  const tokenIds = [
    ...new Set([...needs.flatMap(({ tokenId }) => tokenId ?? []), ...holds.map((hold) => hold.token_id)]),
  ]
  if (userIds.length === 0) return books
  const [users, tokens] = await Promise.all([
    rows<UserAccount>(
      sql,
      `SELECT id, status, quota, held, overrun, used_quota, request_count FROM users
        WHERE id = ANY($1::text::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
      userIds,
    ),
    rows<TokenAccount>(
      sql,
      `SELECT id, user_id, status, remain_quota, held, used_quota, unlimited_quota, expired_time,
        accessed_time, CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END AS deleted FROM tokens
        WHERE id = ANY($1::text::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
      tokenIds,
    ),
  ])
  for (const user of users) books.users.set(user.id, user)
  for (const token of tokens) books.tokens.set(token.id, token)
  await loadBudgets(sql, books, slotsNeeded(commands, books.holds))
  return books
}

/** After the holds were locked: whoever removed one has committed its charge by then. */
async function loadCharged(sql: PoolConnection, books: Books, ids: readonly string[]) {
  if (ids.length === 0) return
  const text = `SELECT ref, CAST(0 - sum(delta) AS bigint) AS charged FROM ledger
    WHERE kind IN ('consume', 'late') AND ref = ANY($1::text::text[]) GROUP BY ref`
  for (const { ref, charged } of await rows<{ ref: string; charged: number }>(sql, text, ids)) {
    books.charged.set(ref, charged)
  }
}

/** The budget's own row is the lock: two nodes may use different slots of it, one of which does not exist yet. */
async function loadBudgets(sql: PoolConnection, books: Books, needed: ReturnType<typeof slotsNeeded>) {
  if (needed.size === 0) return
  const text = `SELECT id, quota, raise_quota, raise_until FROM budgets WHERE id = ANY($1::text::bigint[])
    ORDER BY id FOR NO KEY UPDATE`
  for (const budget of await rows<Omit<BudgetAccount, 'slots'>>(sql, text, [...needed.keys()])) {
    books.budgets.set(budget.id, { ...budget, slots: new Map() })
  }
  const ranges = [...needed].map(([id, { from, until }]) => [id, from, until])
  const found = await sql.unsafe(
    `SELECT usage.budget_id, slot, used, held FROM budget_usage AS usage
      JOIN unnest($1::text::bigint[], $2::text::bigint[], $3::text::bigint[]) AS needed (budget_id, first, last)
      ON usage.budget_id = needed.budget_id AND slot BETWEEN needed.first AND needed.last`,
    columnsOf(ranges),
  )
  for (const slot of found.map(plain<BudgetSlot>)) books.budgets.get(slot.budget_id)?.slots.set(slot.slot, slot)
}

/** The statements are pipelined: the rows are locked for a single round trip. */
async function save(sql: PoolConnection, books: Books) {
  const { changed } = books
  const asked: Promise<unknown>[] = []
  const update = (table: string, columns: string[], values: Value[][]) =>
    asked.push(updateRows(sql, table, columns, values))
  const insert = (head: string, values: Value[][], tail = '') => asked.push(insertRows(sql, head, values, tail))
  const pick = <K, R>(map: Map<K, R>, keys: Iterable<K>) => [...keys].flatMap((key) => map.get(key) ?? [])

  update(
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
  update(
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

  const newHolds = pick(books.holds, changed.newHolds).filter((hold) => !isSettled(hold))
  insert(
    `INSERT INTO holds (id, epoch, user_id, token_id, channel_id, amount, limited, progress, state, actual,
    price, created_at, closed_at, budgets)`,
    newHolds.map(holdColumns),
  )
  const oldHolds = pick(books.holds, changed.holds).filter(({ id }) => !changed.newHolds.has(id))
  const settled = oldHolds.filter(isSettled).map(({ id }) => id)
  if (settled.length > 0) {
    asked.push(sql.unsafe('DELETE FROM holds WHERE id = ANY($1::text::text[])', [arrayOf(settled)]))
  }
  update(
    'holds',
    ['id', 'amount', 'progress', 'state', 'actual', 'channel_id', 'closed_at'],
    oldHolds
      .filter((hold) => !isSettled(hold))
      .map((hold) => [hold.id, hold.amount, hold.progress, hold.state, hold.actual, hold.channel_id, hold.closed_at]),
  )
  for (const { id, budgets } of pick(books.holds, changed.claims)) {
    asked.push(sql.unsafe('UPDATE holds SET budgets = $1 WHERE id = $2', [budgets, id]))
  }
  insert(
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
  insert(
    `INSERT INTO logs (user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens,
    completion_tokens, quota, content, content_en, request_id, elapsed_time, first_byte_time, is_stream, detail,
    session, outcome)`,
    books.logs.map(logColumns),
  )
  insert(`INSERT INTO pending_usage (${PENDING_COLUMNS.join(', ')})`, pendingRows(books.counted.map(addedBy)))
  insert(
    'INSERT INTO budget_usage (budget_id, slot, used, held)',
    [...changed.budgets].map(({ budget_id, slot, used, held }) => [budget_id, slot, used, held]),
    'ON CONFLICT (budget_id, slot) DO UPDATE SET used = excluded.used, held = excluded.held',
  )
  const channels = [...books.channelUsed].sort(([one], [other]) => one - other)
  for (const [id, used] of channels) {
    asked.push(sql.unsafe('UPDATE channels SET used_quota = used_quota + $1 WHERE id = $2', [used, id]))
  }
  // After their channels, in the lock order of changes to keys.
  const keys = [...books.channelKeyUsed].sort(([one], [other]) => one - other)
  for (const [id, { used, calls, at }] of keys) {
    asked.push(
      sql.unsafe(
        'UPDATE channel_keys SET used_quota = used_quota + $1, calls = calls + $2, accessed_time = $3 WHERE id = $4',
        [used, calls, at, id],
      ),
    )
  }
  await Promise.all(asked)
}

type Value = string | number | null

/* Columns are passed as arrays, so that a statement is the same for any number of rows and is planned once. */

/** The first column is the key, the others are numbers. */
async function updateRows(sql: PoolConnection, table: string, columns: string[], values: Value[][]) {
  if (values.length === 0) return
  const [key, ...rest] = columns
  await sql.unsafe(
    `UPDATE ${table} SET ${rest.map((column) => `${column} = new.${column}`)} FROM unnest(${arrays(values)})
     AS new (${columns}) WHERE ${table}.${key} = new.${key}`,
    columnsOf(values),
  )
}

async function insertRows(sql: PoolConnection, head: string, values: Value[][], tail: string) {
  if (values.length === 0) return
  await sql.unsafe(`${head} SELECT * FROM unnest(${arrays(values)}) ${tail}`, columnsOf(values))
}

/** A column of only nulls may have either type: numbers fit both. */
function arrays(values: Value[][]) {
  const types = (values[0] ?? []).map((_, column) =>
    values.some((row) => typeof row[column] === 'string') ? 'text' : 'bigint',
  )
  return types.map((type, column) => `$${column + 1}::text::${type}[]`).join(', ')
}

function columnsOf(values: readonly (readonly Value[])[]) {
  return (values[0] ?? []).map((_, column) => arrayOf(values.map((row) => row[column] ?? null)))
}

function arrayOf(values: readonly Value[]) {
  const written = values.map((value) => {
    if (typeof value === 'string') return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    return value === null ? 'NULL' : String(value)
  })
  return `{${written.join(',')}}`
}

async function rows<R>(sql: PoolConnection, text: string, keys: readonly Value[]): Promise<R[]> {
  return (await sql.unsafe(text, [arrayOf(keys)])).map(plain<R>)
}

/** Integers arrive as BigInt, and the reducer uses numbers; the database's own bounds keep them exact. */
function plain<R>(row: Record<string, unknown>): R {
  for (const [name, value] of Object.entries(row)) if (typeof value === 'bigint') row[name] = Number(value)
  return row as R
}
