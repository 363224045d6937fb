import { createPool, type PoolConnection } from '../../database/postgres-pool.ts'
import { isDatabaseUnavailable } from '../../database/unavailable.ts'
import {
  type Books,
  type BudgetAccount,
  type BudgetSlot,
  emptyBooks,
  type TokenAccount,
  type UserAccount,
} from '../books.ts'
import { type HoldRow, readHold, slotsNeeded } from '../budget-claims.ts'
import { type Command, freeInSlice, needsOf, type Payer, repeated, withoutHold } from '../commands.ts'
import { crashPoint } from './crash-points.ts'
import { codeOf } from './error-code.ts'
import { columnsOf, rows, select } from './postgres-rows.ts'
import { save } from './postgres-save.ts'
import { runBatch } from './run-batch.ts'
import { type LedgerStore, LedgerUnavailable, mustBeOnDisk } from './store.ts'

/**
 * Errors after which the batch can simply be run again, because nothing of it was kept. A duplicate row was written by our own
 * earlier attempt, whose connection was lost and whose commit succeeded after we had checked.
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
      const saving = save(connection, books)
      crashPoint('before-commit')
      // Sent together: the rows stay locked for a single round trip. When a statement fails, the commit rolls back.
      await Promise.all([...saving, connection.unsafe('COMMIT')])
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
          return await attempt(replay === 0 ? commands : commands.map(repeated))
        } catch (error) {
          const lost = LOST.test(codeOf(error))
          if (lost && performance.now() - startedMs > AWAY_MAX_MS) throw new LedgerUnavailable('Away', { cause: error })
          if (!lost && (!REPLAY.test(codeOf(error)) || replay >= REPLAYS_MAX)) throw refusalOf(error)
          await Bun.sleep(lost ? 50 : 2)
        }
      }
    },
    close: () => pool.close(),
  }
}

/** A database that takes nothing at all need not be asked for each command. */
const refusalOf = (error: unknown) =>
  isDatabaseUnavailable(error) && !REPLAY.test(codeOf(error))
    ? new LedgerUnavailable('It takes nothing', { cause: error })
    : error

async function load(sql: PoolConnection, commands: readonly Command[]): Promise<Books> {
  const books = emptyBooks()
  const needs = commands.map(needsOf)
  const epochs = [...new Set(needs.flatMap(({ epoch }) => epoch ?? []))].sort()
  const holdIds = [...new Set(needs.flatMap(({ holdId = [], sliceId = [] }) => [holdId, sliceId].flat()))].sort()
  const payers = needs.flatMap(({ payer }) => payer ?? [])
  // All accounts are known: they are locked with the same question.
  const isComplete = payers.length === needs.length
  const [, living, holds] = await Promise.all([
    sql.unsafe(commands.some(mustBeOnDisk) ? 'BEGIN' : 'BEGIN; SET LOCAL synchronous_commit TO off'),
    // Shared until we commit: an epoch cannot be declared dead while a hold is being added to it.
    epochs.length === 0
      ? []
      : rows<{ epoch: string }>(
          sql,
          'SELECT epoch FROM owners WHERE epoch = ANY($1::text::text[]) AND closed_at IS NULL FOR SHARE',
          epochs,
        ),
    holdIds.length === 0
      ? []
      : rows<HoldRow>(
          sql,
          'SELECT * FROM holds WHERE id = ANY($1::text::text[]) ORDER BY id FOR NO KEY UPDATE',
          holdIds,
        ),
    isComplete ? loadAccounts(sql, books, payers) : undefined,
  ])
  for (const { epoch } of living) books.living.add(epoch)
  for (const hold of holds) books.holds.set(hold.id, readHold(hold))
  if (!isComplete) await loadAccounts(sql, books, [...payers, ...holds.map(payerOfHold)])
  await loadCharged(sql, books, withoutHold(commands, books.holds))
  await loadBudgets(sql, books, slotsNeeded(commands, books))
  return books
}

const payerOfHold = ({ user_id, token_id }: HoldRow): Payer => ({ userId: user_id, tokenId: token_id })

/** Sent together, and run one after the other: every node locks in this order. */
async function loadAccounts(sql: PoolConnection, books: Books, payers: readonly Payer[]) {
  if (payers.length === 0) return
  const userIds = [...new Set(payers.map(({ userId }) => userId))]
  const tokenIds = [...new Set(payers.map(({ tokenId }) => tokenId))]
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
}

/** After the holds and accounts were locked: whoever removed a hold, or charged a call without one, has committed that by then. */
async function loadCharged(sql: PoolConnection, books: Books, settlements: readonly Command[]) {
  if (settlements.length === 0) return
  const ids = settlements.map(({ id }) => id)
  const text = `SELECT ref, CAST(0 - sum(delta) AS bigint) AS charged FROM ledger
    WHERE kind IN ('consume', 'late') AND ref = ANY($1::text::text[]) GROUP BY ref`
  for (const { ref, charged } of await rows<{ ref: string; charged: number }>(sql, text, ids)) {
    books.charged.set(ref, charged)
  }
  const free = settlements.flatMap(freeInSlice)
  if (free.length === 0) return
  const logged = await select<{ request_id: string }>(
    sql,
    `SELECT logs.request_id FROM logs JOIN unnest($1::text::bigint[], $2::text::bigint[], $3::text::text[])
      AS free (user_id, created_at, request_id) USING (user_id, created_at, request_id)`,
    columnsOf(free.map(({ user_id, created_at, request_id }) => [user_id, created_at, request_id])),
  )
  for (const { request_id } of logged) books.charged.set(request_id, 0)
}

/** The budget's own row is the lock: two nodes may use different slots of it, one of which does not exist yet. */
async function loadBudgets(sql: PoolConnection, books: Books, needed: ReturnType<typeof slotsNeeded>) {
  if (needed.size === 0) return
  const ranges = [...needed].map(([id, { from, until }]) => [id, from, until])
  const [budgets, slots] = await Promise.all([
    rows<Omit<BudgetAccount, 'slots' | 'from' | 'until'>>(
      sql,
      `SELECT id, quota, raise_quota, raise_until FROM budgets WHERE id = ANY($1::text::bigint[])
        ORDER BY id FOR NO KEY UPDATE`,
      [...needed.keys()],
    ),
    select<BudgetSlot>(
      sql,
      `SELECT usage.budget_id, slot, used, held FROM budget_usage AS usage
        JOIN unnest($1::text::bigint[], $2::text::bigint[], $3::text::bigint[]) AS needed (budget_id, first, last)
        ON usage.budget_id = needed.budget_id AND slot BETWEEN needed.first AND needed.last`,
      columnsOf(ranges),
    ),
  ])
  for (const budget of budgets) {
    const range = needed.get(budget.id)
    if (range !== undefined) books.budgets.set(budget.id, { ...budget, ...range, slots: new Map() })
  }
  for (const slot of slots) books.budgets.get(slot.budget_id)?.slots.set(slot.slot, slot)
}
