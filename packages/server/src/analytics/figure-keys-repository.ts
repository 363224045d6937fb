import { firstGroup } from '../database/group-members.ts'
import type { Schema } from '../database/schema.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import type { SumsFilter } from './sums-repository.ts'

/** A key of packed figures. */
export type FigureKey = Schema['figure_keys'] & {
  /** The same whatever its owner was called. */
  line: string
}

/** The keys whose calls a question is about. */
export interface FigureKeysFound {
  list: readonly FigureKey[]
  /** The number of the last of all keys, also of those that the question is not about. */
  last: number
  /** The group of a user, where the question is about groups. */
  groupOf(userId: number): string
}

export type FigureKeys = ReturnType<typeof createFigureKeys>

/** The keys of packed figures, in the order of their numbers. */
export const createFigureKeys = () => {
  // A number never changes its key, so only those that were added since are read.
  const known: FigureKey[] = []
  const lastKnown = () => known.at(-1)?.id ?? 0

  const readAll = async (db: FiguresDb) => {
    const added = await db
      .selectFrom('figure_keys')
      .select(['id', 'user_id', 'username', 'token_name'])
      .where('id', '>', lastKnown())
      .orderBy('id')
      .execute()
    for (const key of added) if (key.id > lastKnown()) known.push({ ...key, line: `${key.user_id} ${key.token_name}` })
    return known
  }

  return {
    async read(db: FiguresDb, filter: SumsFilter, byGroup: boolean): Promise<FigureKeysFound> {
      const { groups, exceptGroups, key, users } = filter
      const isByGroup = byGroup || groups !== undefined || exceptGroups !== undefined
      const lists = isByGroup ? await groupsByUser(db) : new Map<number, string>()
      const ids = users === undefined ? undefined : new Set(users.ids)
      const isWanted = ({ user_id, username, token_name }: FigureKey) => {
        if (ids?.has(user_id) === false) return false
        if (users?.username !== undefined && username !== users.username) return false
        if (key !== undefined && token_name !== key) return false
        const list = lists.get(user_id)
        if (groups !== undefined && (list === undefined || !groups.includes(list))) return false
        return list === undefined || exceptGroups?.includes(list) !== true
      }
      const firsts = new Map<string, string>()
      const firstOf = (list: string) => {
        const first = firsts.get(list) ?? firstGroup(list)
        firsts.set(list, first)
        return first
      }
      return {
        list: (await readAll(db)).filter(isWanted),
        last: lastKnown(),
        groupOf(userId) {
          const list = lists.get(userId)
          return list === undefined ? '' : firstOf(list)
        },
      }
    },
  }
}

/** The groups of all users; one whose account is gone has none. */
async function groupsByUser(db: FiguresDb) {
  const rows = await db.selectFrom('users').select(['id', 'group']).execute()
  return new Map(rows.map(({ id, group }) => [id, group]))
}
