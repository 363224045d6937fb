import { firstGroup } from '../database/group-members.ts'
import type { Schema } from '../database/schema.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import type { SumsFilter } from './sums-repository.ts'

/** A key of packed figures, with the group of its owner where that matters. */
export type FigureKey = Schema['figure_keys'] & { group: string }

export type FigureKeys = ReturnType<typeof createFigureKeys>

/** The keys of packed figures, in the order of their numbers. */
export const createFigureKeys = () => {
  // A number never changes its key, so only those that were added since are read.
  const known: Schema['figure_keys'][] = []
  const lastKnown = () => known.at(-1)?.id ?? 0

  const readAll = async (db: FiguresDb) => {
    const added = await db
      .selectFrom('figure_keys')
      .select(['id', 'user_id', 'username', 'token_name'])
      .where('id', '>', lastKnown())
      .orderBy('id')
      .execute()
    for (const key of added) if (key.id > lastKnown()) known.push(key)
    return known
  }

  return {
    /** Those whose calls a question is about. */
    async read(db: FiguresDb, { groups, exceptGroups, key }: SumsFilter, byGroup: boolean): Promise<FigureKey[]> {
      const isByGroup = byGroup || groups !== undefined || exceptGroups !== undefined
      const lists = isByGroup ? await groupsByUser(db) : new Map<number, string>()
      return (await readAll(db)).flatMap((one) => {
        const list = lists.get(one.user_id)
        if (key !== undefined && one.token_name !== key) return []
        if (groups !== undefined && (list === undefined || !groups.includes(list))) return []
        if (list !== undefined && exceptGroups?.includes(list)) return []
        return { ...one, group: list === undefined ? '' : firstGroup(list) }
      })
    },
  }
}

/** The groups of all users; one whose account is gone has none. */
async function groupsByUser(db: FiguresDb) {
  const rows = await db.selectFrom('users').select(['id', 'group']).execute()
  return new Map(rows.map(({ id, group }) => [id, group]))
}
