import { Role } from '@tollgate/contract'
import type { Db } from '../database/client.ts'

/** Columns that no request changes for its own caller. */
const FIXED = [
  ...['id', 'role', 'status', 'group', 'quota', 'held', 'overrun', 'used_quota', 'request_count', 'rate_limits'],
  ...['email', 'github_id', 'wechat_id', 'lark_id', 'aff_code', 'inviter_id', 'created_time', 'password_default'],
] as const

/**
 * What a caller may not change in any way, by table and id: for an ordinary user everything that is not their own; for an administrator
 * everything of root and of other administrators. Of the caller's own account, the columns that only others may change.
 */
export const untouchableRows = async (db: Db, caller: { id: number; role: number }): Promise<Map<string, string>> => {
  const rows = new Map<string, string>()
  const keep = (table: string, id: number | string, row: unknown) => rows.set(`${table} ${id}`, JSON.stringify(row))
  const users = await db.selectFrom('users').selectAll().execute()
  const isStaff = caller.role >= Role.admin
  const above = new Set(
    users.filter(({ id, role }) => id !== caller.id && (!isStaff || role >= Role.admin)).map(({ id }) => id),
  )
  for (const user of users) {
    if (above.has(user.id)) keep('users', user.id, user)
    if (user.id === caller.id)
      keep(
        'users',
        user.id,
        FIXED.map((column) => user[column]),
      )
  }
  const tokens = await db.selectFrom('tokens').selectAll().execute()
  const closed = new Set(tokens.filter(({ user_id }) => above.has(user_id)).map(({ id }) => `${id}`))
  for (const token of tokens) if (closed.has(`${token.id}`)) keep('tokens', token.id, token)
  const isOthers = (owner: number) => (owner === 0 ? !isStaff : owner !== caller.id)
  for (const table of ['alert_rules', 'alert_destinations'] as const) {
    for (const row of await db.selectFrom(table).selectAll().execute())
      if (isOthers(row.owner_id)) keep(table, row.id, row)
  }
  for (const budget of await db.selectFrom('budgets').selectAll().execute()) {
    const { id, scope, target } = budget
    const isClosed = scope === 'key' ? closed.has(target) : scope === 'user' ? above.has(Number(target)) : !isStaff
    if (isClosed) keep('budgets', id, budget)
  }
  if (isStaff) return rows
  for (const row of await db.selectFrom('options').selectAll().execute()) keep('options', row.key, row)
  for (const table of ['channels', 'channel_keys'] as const) {
    for (const row of await db.selectFrom(table).selectAll().execute()) keep(table, row.id, row)
  }
  return rows
}
