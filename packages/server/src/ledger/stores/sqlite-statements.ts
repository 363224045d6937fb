import type { Database, SQLQueryBindings } from 'bun:sqlite'
import type { BudgetAccount, BudgetSlot, TokenAccount, UserAccount } from '../books.ts'
import type { HoldRow } from '../budget-claims.ts'
import { PENDING_COLUMNS } from './usage-figures.ts'

export type Sql = ReturnType<typeof statements>

/** The prepared statements of the ledger's connection. */
export const statements = (file: Database) => {
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
