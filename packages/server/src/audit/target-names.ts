import { UserStatus } from '@tollgate/contract'
import type { Db } from '../database/client.ts'

/** What these targets, such as `channel:12`, are called today. Those without a name, and those that are gone, are left out. */
export async function namesOf(db: Db, targets: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const idsOf = (noun: string) => [
    ...new Set(targets.flatMap((target) => (isOf(noun, target) ? [Number(target.slice(noun.length + 1))] : []))),
  ]
  const found = await Promise.all(
    Object.entries(NAMED).map(async ([noun, read]) => {
      const ids = idsOf(noun)
      const rows = ids.length === 0 ? [] : await read(db, ids)
      return rows.map(({ id, name }): [string, string] => [`${noun}:${id}`, name])
    }),
  )
  return new Map(found.flat())
}

const isOf = (noun: string, target: string) =>
  target.startsWith(`${noun}:`) && /^\d{1,15}$/.test(target.slice(noun.length + 1))

type Read = (db: Db, ids: readonly number[]) => Promise<{ id: number; name: string }[]>

const NAMED: Record<string, Read> = {
  channel: (db, ids) => db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute(),
  user: (db, ids) =>
    db
      .selectFrom('users')
      .select(['id', 'username as name'])
      .where('id', 'in', ids)
      // A deleted user's name was replaced, so that it can be used again.
      .where('status', '<>', UserStatus.deleted)
      .execute(),
  token: (db, ids) => db.selectFrom('tokens').select(['id', 'name']).where('id', 'in', ids).execute(),
  redemption: (db, ids) => db.selectFrom('redemptions').select(['id', 'name']).where('id', 'in', ids).execute(),
}
