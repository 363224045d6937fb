import type { PoolConnection } from '../../database/postgres-pool.ts'
import { type Books, isSettled } from '../books.ts'
import { claimsText } from '../budget-claims.ts'
import { holdColumns, logColumns } from './columns.ts'
import { arrayOf, insertRows, updateRows, type Value } from './postgres-rows.ts'
import { addedBy, PENDING_COLUMNS, pendingRows } from './usage-figures.ts'

/** Sends what a batch changed, without waiting for one statement before the next. */
export function save(sql: PoolConnection, books: Books): Promise<unknown>[] {
  const statements = createStatements(sql)
  saveAccounts(books, statements)
  saveHolds(books, statements)
  saveRecords(books, statements)
  saveChannels(books, statements)
  return statements.sent
}

const createStatements = (sql: PoolConnection) => {
  const sent: Promise<unknown>[] = []
  return {
    sent,
    run: (text: string, values: Value[]) => void sent.push(sql.unsafe(text, values)),
    update: (table: string, columns: string[], values: Value[][]) =>
      void sent.push(updateRows(sql, table, columns, values)),
    insert: (head: string, values: Value[][], tail = '') => void sent.push(insertRows(sql, head, values, tail)),
  }
}

type Statements = ReturnType<typeof createStatements>

const pick = <K, R>(map: Map<K, R>, keys: Iterable<K>) => [...keys].flatMap((key) => map.get(key) ?? [])

function saveAccounts({ users, tokens, changed }: Books, { update }: Statements) {
  update(
    'users',
    ['id', 'quota', 'held', 'overrun', 'used_quota', 'request_count'],
    pick(users, changed.users).map((user) => [
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
    pick(tokens, changed.tokens).map((token) => [
      token.id,
      token.remain_quota,
      token.held,
      token.used_quota,
      token.status,
      token.accessed_time,
    ]),
  )
}

/** A settled hold is deleted; one that was settled in the batch that made it is never written. */
function saveHolds({ holds, changed }: Books, { insert, update, run }: Statements) {
  insert(
    `INSERT INTO holds (id, epoch, user_id, token_id, channel_id, amount, limited, progress, state, actual,
    price, created_at, closed_at, budgets)`,
    pick(holds, changed.newHolds)
      .filter((hold) => !isSettled(hold))
      .map(holdColumns),
  )
  const oldHolds = pick(holds, changed.holds).filter(({ id }) => !changed.newHolds.has(id))
  const settled = oldHolds.filter(isSettled).map(({ id }) => id)
  if (settled.length > 0) run('DELETE FROM holds WHERE id = ANY($1::text::text[])', [arrayOf(settled)])
  update(
    'holds',
    ['id', 'amount', 'progress', 'state', 'actual', 'channel_id', 'created_at', 'closed_at'],
    oldHolds
      .filter((hold) => !isSettled(hold))
      .map((hold) => [
        hold.id,
        hold.amount,
        hold.progress,
        hold.state,
        hold.actual,
        hold.channel_id,
        hold.created_at,
        hold.closed_at,
      ]),
  )
  for (const { id, budgets } of pick(holds, changed.claims)) {
    run('UPDATE holds SET budgets = $1 WHERE id = $2', [claimsText(budgets), id])
  }
}

function saveRecords({ entries, logs, counted, changed }: Books, { insert }: Statements) {
  insert(
    'INSERT INTO ledger (ts, kind, ref, user_id, token_id, channel_id, delta, balance)',
    entries.map(({ ts, kind, ref, user_id, token_id, channel_id, delta, balance }) => [
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
    logs.map(logColumns),
  )
  insert(`INSERT INTO pending_usage (${PENDING_COLUMNS.join(', ')})`, pendingRows(counted.map(addedBy)))
  insert(
    'INSERT INTO budget_usage (budget_id, slot, used, held)',
    [...changed.budgets].map(({ budget_id, slot, used, held }) => [budget_id, slot, used, held]),
    'ON CONFLICT (budget_id, slot) DO UPDATE SET used = excluded.used, held = excluded.held',
  )
}

/** Keys after their channels, in the lock order of changes to keys. */
function saveChannels({ channelUsed, channelKeyUsed }: Books, { run }: Statements) {
  const channels = [...channelUsed].sort(([one], [other]) => one - other)
  for (const [id, used] of channels) {
    run('UPDATE channels SET used_quota = used_quota + $1 WHERE id = $2', [used, id])
  }
  const keys = [...channelKeyUsed].sort(([one], [other]) => one - other)
  for (const [id, { used, calls, at }] of keys) {
    run('UPDATE channel_keys SET used_quota = used_quota + $1, calls = calls + $2, accessed_time = $3 WHERE id = $4', [
      ...[used, calls, at, id],
    ])
  }
}
