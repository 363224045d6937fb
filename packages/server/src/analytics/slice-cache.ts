import type { Clock } from '../common/clock.ts'

export type SliceCache = ReturnType<typeof createSliceCache>

/** A call may be written late: a period is complete this long after its end. */
const CLOSED_SEC = 7200
const KEPT_MS = 5 * 60_000
const ROWS_MAX = 40_000

/**
 * Caches the results of complete slices for a few minutes: a screen requests the same weeks again and again, and only the last hours
 * have changed.
 */
export const createSliceCache = (clock: Clock) => {
  const known = new Map<string, { at: number; rows: readonly unknown[] }>()
  let kept = 0

  const forget = (name: string) => {
    kept -= known.get(name)?.rows.length ?? 0
    known.delete(name)
  }

  const isClosed = ({ until }: { until: number }) => until <= clock.now() / 1000 - CLOSED_SEC

  return {
    partition: <S extends { until: number }>(slices: readonly S[]) => ({
      closed: slices.filter(isClosed),
      open: slices.filter((slice) => !isClosed(slice)),
    }),

    async getOrRead<R>(
      name: string,
      slices: readonly { until: number }[],
      read: () => Promise<readonly R[]>,
    ): Promise<readonly R[]> {
      const now = clock.now()
      const found = known.get(name)
      // The name identifies the query, and one query has rows of one kind.
      if (found !== undefined && Math.abs(now - found.at) < KEPT_MS) return found.rows as readonly R[]
      const rows = await read()
      if (!slices.every(isClosed)) return rows
      forget(name)
      known.set(name, { at: now, rows })
      kept += rows.length
      for (const oldest of known.keys()) {
        if (kept <= ROWS_MAX) break
        forget(oldest)
      }
      return rows
    },
  }
}
