import { Defaults, groupsOf } from '@tollgate/contract'
import { sql } from 'kysely'
import type { Db } from './client.ts'

/** Calls try the groups of a user in order, so that most are served, and priced, by the first. */
export const firstGroup = (list: string) => groupsOf(list)[0] ?? Defaults.group

/** Every list of groups that users have. Whoever has none of them has no account. */
export const allGroupLists = async (db: Db) => {
  const rows = await db.selectFrom('users').select('group').distinct().execute()
  return rows.map((row) => row.group)
}

/** Those of them that begin with this group. */
export const groupLists = async (db: Db, group: string) =>
  (await allGroupLists(db)).filter((list) => firstGroup(list) === group)

/** The ids of the users with these lists. */
export const membersOf = (lists: readonly string[]) =>
  sql<number>`SELECT id FROM users WHERE "group" IN (${sql.join(lists)})`

/** The group under which each of some users counts; those whose account is gone have none. */
export const groupsOfUsers = async (db: Db, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, string>()
  const rows = await db.selectFrom('users').select(['id', 'group']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, group }) => [id, firstGroup(group)]))
}
