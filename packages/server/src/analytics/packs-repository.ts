import { sql } from 'kysely'
import { DAY } from '../common/time-units.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'
import type { LatencyDimension } from './latency-repository.ts'
import { FOUR_DAYS } from './zone-time.ts'

/**
 * What the rows of a pack of figures are by: the hour; the hour, model and channel; the key alone; or all of them. The last ones are
 * several packs, each of some models. `routes until` has a pack for each hour of the day, of what was counted until then. The keys of
 * `active` made calls, those of `callers` of a model at a channel. `figures` has what tells whether the others are complete. Packs of
 * latencies are by their dimension, and by how many hours of each day they count.
 */
export type PackKind = FigurePackKind | 'figures' | LatencyPackKind

export type FigurePackKind = 'total' | 'routes' | 'routes until' | 'keys' | 'calls' | 'active' | 'callers'

/** `latencies` has what tells whether the others are complete. */
export type LatencyPackKind = 'latencies' | `latencies ${Exclude<LatencyDimension, 'user'>}`

export type Pack = Schema['figure_packs'] & PackedDays & { kind: PackKind }

/** Packed days. Longer packs are fewer; until four days are over, each is packed alone. */
export interface PackedDays {
  span: PackSpan
  start: number
}

export type PackSpan = typeof DAY | typeof FOUR_DAYS

export interface PacksQuery {
  kind: PackKind
  days: readonly PackedDays[]
  parts: readonly number[]
}

/** The packs of finished days, made by a job. */
export const packsRepository = (db: Db) => ({
  async read(queries: readonly PacksQuery[]): Promise<Pack[]> {
    const selects = queries.flatMap(({ kind, days, parts }) =>
      [...Map.groupBy(days, ({ span }) => span)].map(
        ([span, some]) => sql`SELECT kind, span, start, part, bytes FROM figure_packs
          WHERE kind = ${kind} AND span = ${sql.lit(span)} AND start IN (${sql.join(some.map(({ start }) => start))})
            AND part IN (${sql.join(parts)})`,
      ),
    )
    if (selects.length === 0) return []
    const { rows } = await sql<Pack>`${sql.join(selects, sql` UNION ALL `)}`.execute(db)
    return rows
  },

  /** In the order of their keys, in which every node locks them: of two nodes, one replaces all that the other has written. */
  write: (packs: readonly Pack[], alsoIn: (tx: Tx) => Promise<unknown> = async () => {}) =>
    transact(db, async (tx) => {
      await alsoIn(tx)
      await tx
        .insertInto('figure_packs')
        .values([...packs])
        .onConflict((conflict) =>
          conflict.columns(['kind', 'span', 'start', 'part']).doUpdateSet({ bytes: sql`excluded.bytes` }),
        )
        .execute()
    }),

  /** Removes the packs of single days before this one, which are also packed as four. */
  removeDays: (until: number) =>
    transact(db, async (tx) => {
      await tx.deleteFrom('packed_days').where('span', '=', DAY).where('start', '<', until).execute()
      await tx.deleteFrom('figure_packs').where('span', '=', DAY).where('start', '<', until).execute()
    }),
})

/** A day may be packed alone as well. */
export const longest = <P extends PackedDays>(found: readonly P[]): P[] => {
  const four = new Set(found.filter(({ span }) => span === FOUR_DAYS).map(({ start }) => start))
  return found.filter(({ span, start }) => span === FOUR_DAYS || !four.has(start - (start % FOUR_DAYS)))
}
