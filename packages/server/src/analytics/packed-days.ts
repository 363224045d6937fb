import { DAY } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import type { Cell } from './cells.ts'
import type { FigureKeys } from './figure-keys-repository.ts'
import { type FigurePackKind, figurePacksRepository, partsOf } from './figure-packs-repository.ts'
import type { PackCache } from './pack-cache.ts'
import { type Pack, packedKeys, packedSums, type TimeOfHour } from './packed-sums.ts'
import { longest, type PackedDays, type PacksQuery, packsRepository } from './packs-repository.ts'
import { type FigureColumn, isByUser, isOfUsers, type Part, type SumsFilter } from './sums-repository.ts'
import type { TimeSlice } from './time-slices.ts'

interface Sources {
  figures: FiguresDb
  keys: FigureKeys
  cache: PackCache
}

interface Wanted {
  parts: readonly Part[]
  filter: SumsFilter
  columns: readonly FigureColumn[]
  /** The start of the step that contains an hour; undefined when rows are not by time. */
  timeOf: ((hour: number) => number) | undefined
}

/** Of a few users there are fewer rows than packed ones to look through. */
const FEW_USERS = 3

/** Whether a question is answered from packs, where there are some. */
export const isPackable = ({ users }: SumsFilter) => users === undefined || users.ids.length > FEW_USERS

/** The figures of finished days, from packs. */
export const packedDays = ({ figures, keys, cache }: Sources) => {
  const { read } = packsRepository(figures)
  let valid: readonly PackedDays[] = []

  /** Calls `each` with every pack that has some of the slices, and with the times of its hours; those outside have none. */
  const readPacks = async (
    slices: readonly TimeSlice[],
    { parts, filter, timeOf }: Omit<Wanted, 'columns'>,
    each: (pack: Pack, timeOf: TimeOfHour) => void,
  ) => {
    for (const { from, until } of merged(slices)) {
      const ofHour: TimeOfHour = (hour) => (hour < from || hour >= until ? undefined : (timeOf?.(hour) ?? 0))
      const days = valid.filter(({ start, span }) => start < until && start + span > from)
      const isWhole = ({ start, span }: PackedDays) => start >= from && start + span <= until
      const kinds = kindsOf(days, isWhole, { parts, filter, isByTime: timeOf !== undefined })
      for (const queries of inTurns(kinds, filter.model)) {
        for (const pack of await cache.getOrRead(queries, () => read(queries))) each(pack, ofHour)
        await yieldToEventLoop()
      }
    }
  }

  return {
    /** Finds out which days are packed. */
    async find(range: Stretch) {
      const found = await figurePacksRepository(figures).valid(range)
      cache.note(
        'figures',
        found.map(({ total, ...days }) => ({ ...days, mark: total })),
      )
      return found
    },

    /** Only these are read. Returns their starts. */
    use(found: readonly PackedDays[]) {
      valid = longest(found)
      return new Set(
        valid.flatMap(({ span, start }) => Array.from({ length: span / DAY }, (_, day) => start + day * DAY)),
      )
    },

    async addTo(cells: Map<string, Cell>, slices: readonly TimeSlice[], wanted: Wanted) {
      if (slices.length === 0) return
      const { parts, filter } = wanted
      const isOfKeys = isByUser(parts) || isOfUsers(filter)
      const some = isOfKeys ? await keys.read(figures, filter, parts.includes('group')) : undefined
      if (some?.list.length === 0) return
      const sums = packedSums({ ...wanted, keys: some })
      await readPacks(slices, wanted, sums.add)
      sums.addTo(cells)
    },

    /** Which keys of which users made calls, a line for each. */
    async active(slices: readonly TimeSlice[], filter: SumsFilter): Promise<string[]> {
      if (slices.length === 0) return []
      const { found, add } = packedKeys(filter)
      await readPacks(slices, { parts: ['key'], filter, timeOf: undefined }, add)
      const { list } = await keys.read(figures, filter, false)
      return list.flatMap(({ id, line }) => (found[id] ? line : []))
    },
  }
}

interface Stretch {
  from: number
  until: number
}

interface KindOfDays {
  kind: FigurePackKind
  days: readonly PackedDays[]
}

/** The packs that answer for some days. */
function kindsOf(
  days: readonly PackedDays[],
  isWhole: (days: PackedDays) => boolean,
  { parts, filter, isByTime }: Pick<Wanted, 'parts' | 'filter'> & { isByTime: boolean },
): KindOfDays[] {
  const isOfRoute = filter.model !== undefined || filter.channel !== undefined
  const isByRoute = isOfRoute || parts.includes('model') || parts.includes('channel')
  if (!isByUser(parts) && !isOfUsers(filter)) return [{ kind: isByRoute ? 'routes' : 'total', days }]
  if (isByTime || isByRoute) return [{ kind: 'calls', days }]
  // Packs by key have no hours.
  return [
    { kind: 'keys', days: days.filter(isWhole) },
    { kind: 'calls', days: days.filter((one) => !isWhole(one)) },
  ]
}

/** An embedded database blocks everything while it reads: some packs at once, then other work may run. */
function inTurns(kinds: readonly KindOfDays[], model: string | undefined) {
  const turns: { queries: PacksQuery[]; packs: number }[] = []
  for (const { kind, days } of kinds) {
    const parts = partsOf(kind, model)
    for (let first = 0; first < days.length; first += DAYS_AT_ONCE) {
      const query = { kind, days: days.slice(first, first + DAYS_AT_ONCE), parts }
      const packs = query.days.length * parts.length
      const last = turns.at(-1)
      if (last === undefined || last.packs + packs > PACKS_AT_ONCE) turns.push({ queries: [query], packs })
      else {
        last.queries.push(query)
        last.packs += packs
      }
    }
  }
  return turns.map(({ queries }) => queries)
}

const DAYS_AT_ONCE = 8
const PACKS_AT_ONCE = 56

/** Adjacent slices as one. */
function merged(slices: readonly TimeSlice[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const { from, until } of slices) {
    const last = stretches.at(-1)
    if (last?.until === from) last.until = until
    else stretches.push({ from, until })
  }
  return stretches
}
