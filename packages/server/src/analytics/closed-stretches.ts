import type { Clock } from '../common/clock.ts'

export type ClosedStretches = ReturnType<typeof createClosedStretches>

/** A call may be written late: a period is complete this long after its end. */
const CLOSED_SEC = 7200
const KEPT_MS = 5 * 60_000
const ROWS_MAX = 40_000

/**
 * Caches the results of complete stretches for a few minutes: a screen requests the same weeks again and again, and only the last hours
 * have changed.
 */
export const createClosedStretches = (clock: Clock) => {
  const known = new Map<string, { at: number; rows: readonly unknown[] }>()
  let kept = 0

  const forget = (name: string) => {
    kept -= known.get(name)?.rows.length ?? 0
    known.delete(name)
  }

  const isClosed = ({ until }: { until: number }) => until <= clock.now() / 1000 - CLOSED_SEC

  return {
    apart: <S extends { until: number }>(stretches: readonly S[]) => ({
      closed: stretches.filter(isClosed),
      open: stretches.filter((stretch) => !isClosed(stretch)),
    }),

    async once<R>(
      name: string,
      stretches: readonly { until: number }[],
      read: () => Promise<readonly R[]>,
    ): Promise<readonly R[]> {
      const now = clock.now()
      const found = known.get(name)
      // The name identifies the query, and one query has rows of one kind.
      if (found !== undefined && Math.abs(now - found.at) < KEPT_MS) return found.rows as readonly R[]
      const rows = await read()
      if (!stretches.every(isClosed)) return rows
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
