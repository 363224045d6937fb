import { HOURS_OF_DAY } from './day-stretches.ts'
import type { PackedRow } from './packed-rows.ts'

/**
 * The rows by hour, model and channel as what was counted until each hour of their day, for 1 to 24. Days of any zone are then the
 * difference of two of these, each with one row for a day where there are up to 24 by the hour.
 */
export function* routesUntil(rows: readonly PackedRow[]): Generator<{ hour: number; rows: readonly PackedRow[] }> {
  const byHour = Map.groupBy(rows, ({ hour }) => hour % HOURS_OF_DAY)
  const sums = new Map<string, PackedRow>()
  for (let hour = 1; hour <= HOURS_OF_DAY; hour++) {
    for (const row of byHour.get(hour - 1) ?? []) {
      const day = row.hour - (row.hour % HOURS_OF_DAY)
      const name = `${day} ${row.route[1]} ${row.route[0]}`
      const known = sums.get(name)?.sums
      sums.set(name, { ...row, hour: day, sums: row.sums.map((sum, column) => sum + (known?.[column] ?? 0)) })
    }
    yield { hour, rows: [...sums.values()] }
  }
}

/** Who called what, without when and how often. */
export const callersOf = (rows: readonly PackedRow[], isByRoute: boolean): PackedRow[] => {
  const callers = new Map<string, PackedRow>()
  for (const { route: calledRoute, key } of rows) {
    const route = isByRoute ? calledRoute : NO_ROUTE
    callers.set(`${key} ${route[1]} ${route[0]}`, { hour: 0, route, key, sums: [] })
  }
  return [...callers.values()]
}

const NO_ROUTE = ['', 0] as const
