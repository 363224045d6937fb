import type { PoolConnection } from '../../database/postgres-pool.ts'
import { type Books, isSettled } from '../books.ts'
import { claimsText } from '../budget-claims.ts'
import { holdColumns, logColumns } from './columns.ts'
import { addOf, type Columns, deleteOf, insertOf, together, updateOf } from './postgres-rows.ts'
import { addedBy, FIGURE_COLUMNS, pendingRows } from './usage-figures.ts'

/**
 * Sends what a batch changed, without waiting for one statement before the next. Everything whose rows are locked, or new, is one
 * statement; the rows of channels, which all nodes change, are locked last.
 */
export function save(sql: PoolConnection, books: Books): Promise<unknown>[] {
  const { channelUsed, channelKeyUsed } = books
  const statements = [
    claimsOf(books),
    together([...accountsOf(books), ...holdsOf(books), ...recordsOf(books)]),
    // Keys after their channels, in the lock order of changes to keys.
    together(addOf('channels', { sums: ['used_quota'] }, [...channelUsed])),
    together(
      addOf(
        'channel_keys',
        { sums: ['used_quota', 'calls'], latest: ['accessed_time'] },
        [...channelKeyUsed].map(([id, { used, calls, at }]) => [id, used, calls, at]),
      ),
    ),
  ]
  return statements.filter(({ values }) => values.length > 0).map(({ text, values }) => sql.unsafe(text, values))
}

const pick = <K, R>(map: Map<K, R>, keys: Iterable<K>) => [...keys].flatMap((key) => map.get(key) ?? [])

const numbers = (...names: string[]): Columns => Object.fromEntries(names.map((name) => [name, 'bigint']))

const USERS = numbers('id', 'quota', 'held', 'overrun', 'used_quota', 'request_count')
const TOKENS = numbers('id', 'remain_quota', 'held', 'used_quota', 'status', 'accessed_time')
const CLAIMS: Columns = { id: 'text', budgets: 'text' }
const NEW_HOLDS: Columns = {
  ...{ id: 'text', epoch: 'text' },
  ...numbers('user_id', 'token_id', 'channel_id', 'amount', 'limited', 'progress', 'state', 'actual'),
  ...{ price: 'text', created_at: 'bigint', closed_at: 'bigint', budgets: 'text' },
}
const OLD_HOLDS: Columns = {
  id: 'text',
  ...numbers('amount', 'progress', 'state', 'actual', 'channel_id', 'created_at', 'closed_at'),
}
const LEDGER: Columns = {
  ...{ ts: 'bigint', kind: 'text', ref: 'text' },
  ...numbers('user_id', 'token_id', 'channel_id', 'delta', 'balance'),
}
const LOGS: Columns = {
  ...numbers('user_id', 'created_at', 'type', 'channel'),
  ...{ username: 'text', token_name: 'text', model_name: 'text' },
  ...numbers('prompt_tokens', 'completion_tokens', 'quota'),
  ...{ content: 'text', content_en: 'text', request_id: 'text' },
  ...numbers('elapsed_time', 'first_byte_time', 'is_stream'),
  ...{ detail: 'text', session: 'text', outcome: 'text' },
}
const PENDING: Columns = {
  ...{ user_id: 'bigint', hour: 'bigint', model_name: 'text', token_name: 'text', channel: 'bigint', username: 'text' },
  ...numbers(...FIGURE_COLUMNS),
}

/** Their rows are changed by another statement, too. */
const claimsOf = ({ holds, changed }: Books) =>
  together(
    updateOf(
      'holds',
      CLAIMS,
      pick(holds, changed.claims).map(({ id, budgets }) => [id, claimsText(budgets)]),
    ),
  )

const accountsOf = ({ users, tokens, changed }: Books) => [
  ...updateOf(
    'users',
    USERS,
    pick(users, changed.users).map((user) => [
      user.id,
      user.quota,
      user.held,
      user.overrun,
      user.used_quota,
      user.request_count,
    ]),
  ),
  ...updateOf(
    'tokens',
    TOKENS,
    pick(tokens, changed.tokens).map((token) => [
      token.id,
      token.remain_quota,
      token.held,
      token.used_quota,
      token.status,
      token.accessed_time,
    ]),
  ),
]

/** A settled hold is deleted; one that was settled in the batch that made it is never written. */
function holdsOf({ holds, changed }: Books) {
  const newHolds = pick(holds, changed.newHolds).filter((hold) => !isSettled(hold))
  const oldHolds = pick(holds, changed.holds).filter(({ id }) => !changed.newHolds.has(id))
  const open = oldHolds.filter((hold) => !isSettled(hold))
  return [
    ...insertOf('holds', NEW_HOLDS, newHolds.map(holdColumns)),
    ...deleteOf(
      'holds',
      oldHolds.filter(isSettled).map(({ id }) => id),
    ),
    ...updateOf(
      'holds',
      OLD_HOLDS,
      open.map((hold) => [
        hold.id,
        hold.amount,
        hold.progress,
        hold.state,
        hold.actual,
        hold.channel_id,
        hold.created_at,
        hold.closed_at,
      ]),
    ),
  ]
}

const recordsOf = ({ entries, logs, counted, changed }: Books) => [
  ...insertOf(
    'ledger',
    LEDGER,
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
  ),
  ...insertOf('logs', LOGS, logs.map(logColumns)),
  ...insertOf('pending_usage', PENDING, pendingRows(counted.map(addedBy))),
  ...insertOf(
    'budget_usage',
    numbers('budget_id', 'slot', 'used', 'held'),
    [...changed.budgets].map(({ budget_id, slot, used, held }) => [budget_id, slot, used, held]),
    'ON CONFLICT (budget_id, slot) DO UPDATE SET used = excluded.used, held = excluded.held',
  ),
]
