import { type Books, isSettled } from '../books.ts'
import { claimsText } from '../budget-claims.ts'
import { holdColumns, logColumns } from './columns.ts'
import type { Sql } from './sqlite-statements.ts'
import { addedBy, pendingRows } from './usage-figures.ts'

/** Writes what a batch changed. */
export function save(sql: Sql, books: Books) {
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
