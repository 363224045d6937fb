import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import type { Cell } from './cells.ts'
import type { FigureKeys } from './figure-keys-repository.ts'
import { figurePacksRepository, type PackKind, type PacksQuery, partsOf } from './figure-packs-repository.ts'
import type { PackCache } from './pack-cache.ts'
import { type Pack, packedKeys, packedSums, type TimeOfHour } from './packed-sums.ts'
import { type FigureColumn, isByUser, isOfUsers, type Part, type SumsFilter } from './sums-repository.ts'
import type { TimeSlice } from './time-slices.ts'
import { FOUR_DAYS } from './zone-time.ts'

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
  const repository = figurePacksRepository(figures)

  /** Calls `each` with every pack that has some of the slices, and with the times of its hours; those outside have none. */
  const readPacks = async (
    slices: readonly TimeSlice[],
    { parts, filter, timeOf }: Omit<Wanted, 'columns'>,
    each: (pack: Pack, timeOf: TimeOfHour) => void,
  ) => {
    for (const { from, until } of merged(slices)) {
      const ofHour: TimeOfHour = (hour) => (hour < from || hour >= until ? undefined : (timeOf?.(hour) ?? 0))
      const kinds = kindsOf({ from, until }, { parts, filter, isByTime: timeOf !== undefined })
      for (const queries of inTurns(kinds, filter.model)) {
        for (const pack of await cache.getOrRead(queries, () => repository.read(queries))) each(pack, ofHour)
        await yieldToEventLoop()
      }
    }
  }

  return {
    /** The starts of days that are packed. */
    async valid(range: Stretch) {
      const valid = await repository.valid(range)
      cache.note(valid)
      return valid.map(({ start }) => start)
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
      const wanted = await keys.read(figures, filter, false)
      return wanted.list.flatMap(({ id, line }) => (found.has(id) ? line : []))
    },
  }
}

interface Stretch {
  from: number
  until: number
}

/** The packs that answer for a stretch of packed days, each with the stretch that it is read for. */
function kindsOf(
  { from, until }: Stretch,
  { parts, filter, isByTime }: Pick<Wanted, 'parts' | 'filter'> & { isByTime: boolean },
): ({ kind: PackKind } & Stretch)[] {
  const isOfRoute = filter.model !== undefined || filter.channel !== undefined
  const isByRoute = isOfRoute || parts.includes('model') || parts.includes('channel')
  const [first, end] = [from - (from % FOUR_DAYS), Math.ceil(until / FOUR_DAYS) * FOUR_DAYS]
  if (!isByUser(parts) && !isOfUsers(filter)) return [{ kind: isByRoute ? 'routes' : 'total', from: first, until: end }]
  if (isByTime || isByRoute) return [{ kind: 'calls', from: first, until: end }]
  // Packs by key have no hours.
  const whole = { from: Math.ceil(from / FOUR_DAYS) * FOUR_DAYS, until: until - (until % FOUR_DAYS) }
  if (whole.from >= whole.until) return [{ kind: 'calls', from: first, until: end }]
  const stretches = [
    { kind: 'calls', from: first, until: whole.from },
    { kind: 'keys', ...whole },
    { kind: 'calls', from: whole.until, until: end },
  ] as const
  return stretches.filter((stretch) => stretch.from < stretch.until)
}

/** An embedded database blocks everything while it reads: some packs at once, then other work may run. */
function inTurns(kinds: readonly ({ kind: PackKind } & Stretch)[], model: string | undefined) {
  const turns: { queries: PacksQuery[]; size: number }[] = []
  for (const { kind, from, until } of kinds)
    for (let at = from; at < until; at += PART) {
      const end = Math.min(at + PART, until)
      const query = { kind, from: at, until: end, parts: partsOf(kind, model) }
      const size = ((end - at) / FOUR_DAYS) * query.parts.length
      const last = turns.at(-1)
      if (last === undefined || last.size + size > SIZE_MAX) turns.push({ queries: [query], size })
      else {
        last.queries.push(query)
        last.size += size
      }
    }
  return turns.map(({ queries }) => queries)
}

const PART = 8 * FOUR_DAYS
const SIZE_MAX = 56

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
