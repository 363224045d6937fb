import type { SQLQueryBindings, Statement } from 'bun:sqlite'
import type { Books, BudgetSlot } from '../books.ts'
import { readHold, slotsNeeded } from '../budget-claims.ts'
import { type Command, freeInSlice, needsOf, withoutHold } from '../commands.ts'
import type { Sql } from './sqlite-statements.ts'

/** Reads what the commands need and the books do not have yet. */
export function load(sql: Sql, books: Books, commands: readonly Command[]) {
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
