import { sql } from 'kysely'
import { DAY } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import { type PackedDays, packsRepository } from './packs-repository.ts'
import { FOUR_DAYS } from './zone-time.ts'

/** Which packs of latencies may be read. */
export const latencyPacksRepository = (db: Db) => {
  /** The counts of all calls, by day. */
  const wholeDays = async ({ from, until }: { from: number; until: number }) => {
    const { rows } = await sql<{ day: number; whole: string }>`SELECT day, whole FROM latency_days
      WHERE dimension = 'all' AND user_id = 0 AND day >= ${from} AND day < ${until}`.execute(db)
    return new Map(rows.map(({ day, whole }) => [day, whole]))
  }

  const valid = async ({ from, until }: { from: number; until: number }) => {
    const { rows } = await sql<PackedDays & { bytes: Uint8Array }>`SELECT span, start, bytes FROM figure_packs
      WHERE kind = 'latencies' AND span IN (${DAY}, ${FOUR_DAYS}) AND start >= ${from} AND start < ${until}`.execute(db)
    const counts = await wholeDays({ from, until: until + FOUR_DAYS })
    return rows
      .map(({ span, start, bytes }) => ({ span, start, mark: new TextDecoder().decode(bytes) }))
      .filter((days) => days.mark === markOf(days, counts))
  }

  return {
    /**
     * The packed days whose counts are those that were packed. Counts only grow, and those of all calls are written last, so that code
     * that changes an old day need not know of packs.
     */
    valid,

    isUpToDate: async ({ span, start }: PackedDays) =>
      (await valid({ from: start, until: start + 1 })).some((days) => days.span === span),

    /** What `valid` compares later. */
    markOf: async (days: PackedDays) =>
      markOf(days, await wholeDays({ from: days.start, until: days.start + days.span })),

    write: packsRepository(db).write,
  }
}

const markOf = ({ span, start }: PackedDays, counts: ReadonlyMap<number, string>) =>
  Array.from({ length: span / DAY }, (_, nth) => counts.get(start + nth * DAY) ?? '').join(' ')
