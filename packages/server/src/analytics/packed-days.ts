import { DAY, HOUR } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import { addDay, type Cell } from './cells.ts'
import { type FigureDay, figureDaysRepository, type PackedDimension } from './figure-days-repository.ts'
import type { FigureKeys } from './figure-keys-repository.ts'
import { keyCells, type TimeOfHour } from './key-cells.ts'
import { addKeyHours } from './packed-keys.ts'
import type { Part, SumsFilter } from './sums-repository.ts'
import type { TimeSlice } from './time-slices.ts'

interface Sources {
  figures: FiguresDb
  keys: FigureKeys
}

interface Wanted {
  dimension: PackedDimension
  parts: readonly Part[]
  filter: SumsFilter
  timeOf(hour: number): number
}

/** The figures of finished days, from the rows that hold a day with its hours. */
export const packedDays = ({ figures, keys }: Sources) => {
  const repository = figureDaysRepository(figures)

  /** Calls `each` with every day of the slices, and with the times of its hours; those outside have none. */
  const readDays = async (
    slices: readonly TimeSlice[],
    { dimension, filter, timeOf }: Omit<Wanted, 'parts'>,
    each: (day: FigureDay, timeOf: TimeOfHour) => void,
  ) => {
    const isOfFew = dimension !== 'key' || filter.model !== undefined || filter.channel !== undefined
    for (const { from, until } of merged(slices, isOfFew ? 32 * DAY : 8 * DAY)) {
      for (const day of await repository.read({ dimension, filter, from, until }))
        each(day, (number) => {
          const hour = day.day + number * HOUR
          return hour < from || hour >= until ? undefined : timeOf(hour)
        })
      await yieldToEventLoop()
    }
  }

  return {
    async addTo(cells: Map<string, Cell>, slices: readonly TimeSlice[], wanted: Wanted) {
      if (slices.length === 0) return
      const { dimension, parts, filter } = wanted
      const add =
        dimension === 'key'
          ? keyCells(cells, parts, await keys.read(figures, filter, parts.includes('group')))
          : (day: FigureDay, timeOf: TimeOfHour) => addDay(cells, parts, day, timeOf)
      await readDays(slices, wanted, add)
    },

    /** Which keys of which users made calls, a line for each. */
    async active(slices: readonly TimeSlice[], filter: SumsFilter): Promise<string[]> {
      if (slices.length === 0) return []
      const numbers = new Set<number>()
      await readDays(slices, { dimension: 'key', filter, timeOf: () => 0 }, ({ hours }, timeOf) =>
        addKeyHours(hours, (hour, key) => {
          if (timeOf(hour) !== undefined) numbers.add(key)
          return undefined
        }),
      )
      const wanted = await keys.read(figures, filter, false)
      return wanted.flatMap(({ id, user_id, token_name }) => (numbers.has(id) ? `${user_id} ${token_name}` : []))
    },
  }
}

/** Adjacent slices as one, up to this long: other work runs between two statements. */
function merged(slices: readonly TimeSlice[], longest: number) {
  const reads: { from: number; until: number }[] = []
  for (const { from, until } of slices) {
    const last = reads.at(-1)
    if (last?.until === from && until - last.from <= longest) last.until = until
    else reads.push({ from, until })
  }
  return reads
}
