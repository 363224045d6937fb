import { DAY } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import type { Cell } from './cells.ts'
import { hoursOf, type Stretch, signedAt, stretchesOf } from './day-stretches.ts'
import type { FigureKey, FigureKeys } from './figure-keys-repository.ts'
import { figurePacksRepository, partsOf } from './figure-packs-repository.ts'
import type { PackCache } from './pack-cache.ts'
import { packedKeys, packedSums, type TimeOfHour } from './packed-sums.ts'
import {
  type FigurePackKind,
  longest,
  type Pack,
  type PackedDays,
  type PacksQuery,
  packsRepository,
} from './packs-repository.ts'
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

  const readAll = async (reads: readonly PacksRead[], each: (pack: Pack) => void) => {
    for (const queries of inTurns(reads)) {
      for (const pack of await cache.getOrRead(queries, () => read(queries))) each(pack)
      await yieldToEventLoop()
    }
  }

  const daysIn = ({ from, until }: Range) => valid.filter(({ start, span }) => start < until && start + span > from)

  const addSums = async (range: Range, { parts, filter, timeOf }: Wanted, add: AddPack) => {
    const days = daysIn(range)
    const ofHour = timeIn(range, timeOf)
    const kinds = kindsOf(days, range, { parts, filter, isByTime: timeOf !== undefined })
    if (kinds !== 'routes') return readAll(readsOf(kinds, filter), (pack) => add(pack, ofHour))
    const { byHour, untilHours, stretches } = routeReads(days, ofHour)
    await readAll(readsOf([{ kind: 'routes', days: byHour }], filter), (pack) => add(pack, ofHour))
    await readAll(untilHours, (pack) => {
      for (const sign of [1, -1] as const) {
        const ofDay = timeOfDays(pack, stretches, sign)
        if (ofDay !== undefined) add(pack, ofDay, sign)
      }
    })
  }

  return {
    /** Finds out which days are packed. */
    async find(range: Range) {
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
      for (const range of merged(slices)) await addSums(range, wanted, sums.add)
      sums.addTo(cells)
    },

    /** Which keys of which users made calls. */
    async active(slices: readonly TimeSlice[], filter: SumsFilter): Promise<FigureKey[]> {
      if (slices.length === 0) return []
      const { list, last } = await keys.read(figures, filter, false)
      const { found, add } = packedKeys(filter, last)
      for (const range of merged(slices)) {
        const ofHour = timeIn(range, undefined)
        await readAll(readsOf(callerKinds(daysIn(range), range, filter), filter), (pack) => add(pack, ofHour))
      }
      return list.filter(({ id }) => found[id] === 1)
    },
  }
}

type AddPack = ReturnType<typeof packedSums>['add']

interface Range {
  from: number
  until: number
}

/** Hours outside the range are not part of the question. */
const timeIn =
  ({ from, until }: Range, timeOf: Wanted['timeOf']): TimeOfHour =>
  (hour) =>
    hour < from || hour >= until ? undefined : (timeOf?.(hour) ?? 0)

interface KindOfDays {
  kind: Exclude<FigurePackKind, 'routes until'>
  days: readonly PackedDays[]
}

const isWholeIn =
  ({ from, until }: Range) =>
  ({ start, span }: PackedDays) =>
    start >= from && start + span <= until

/** The packs that answer for some days; of models and channels there are two kinds. */
function kindsOf(
  days: readonly PackedDays[],
  range: Range,
  { parts, filter, isByTime }: Pick<Wanted, 'parts' | 'filter'> & { isByTime: boolean },
): readonly KindOfDays[] | 'routes' {
  const isByRoute = isOfRoute(filter) || parts.includes('model') || parts.includes('channel')
  if (!isByUser(parts) && !isOfUsers(filter)) return isByRoute ? 'routes' : [{ kind: 'total', days }]
  if (isByTime || isByRoute) return [{ kind: 'calls', days }]
  return wholeOr(days, range, 'keys')
}

/** Those that tell which keys made calls. */
const callerKinds = (days: readonly PackedDays[], range: Range, filter: SumsFilter) =>
  wholeOr(days, range, isOfRoute(filter) ? 'callers' : 'active')

/** Packs of these kinds have no hours. */
function wholeOr(days: readonly PackedDays[], range: Range, kind: KindOfDays['kind']): KindOfDays[] {
  const isWhole = isWholeIn(range)
  return [
    { kind, days: days.filter(isWhole) },
    { kind: 'calls', days: days.filter((one) => !isWhole(one)) },
  ]
}

const isOfRoute = ({ model, channel }: SumsFilter) => model !== undefined || channel !== undefined

/** One kind of packs, of some days. */
interface PacksRead {
  kind: FigurePackKind
  days: readonly PackedDays[]
  parts: readonly number[]
}

const readsOf = (kinds: readonly KindOfDays[], { model }: SumsFilter): PacksRead[] =>
  kinds.map(({ kind, days }) => ({ kind, days, parts: partsOf(kind, model) }))

/** Of a day until some hours there are far fewer rows than by the hour, unless steps are hours. */
function routeReads(days: readonly PackedDays[], ofHour: TimeOfHour) {
  const stretches = new Map(days.flatMap(daysOf).map((day) => [day, stretchesOf(day, ofHour)]))
  const needed = days.map((one) => ({ one, hours: hoursOf(daysOf(one).flatMap((day) => stretches.get(day) ?? [])) }))
  const isFew = ({ hours }: { hours: readonly number[] }) => hours.length <= UNTIL_HOURS_MAX
  const alike = Map.groupBy(needed.filter(isFew), ({ hours }) => hours.join())
  return {
    stretches,
    byHour: needed.filter((some) => !isFew(some)).map(({ one }) => one),
    untilHours: [...alike.values()].map((some): PacksRead => {
      const [{ hours } = { hours: [] }] = some
      return { kind: 'routes until', days: some.map(({ one }) => one), parts: hours }
    }),
  }
}

/** Two for each zone, and those in which the range begins or ends. */
const UNTIL_HOURS_MAX = 4

/** The step to which each day of a pack is added, or from which it is taken; undefined if there is none. */
function timeOfDays({ span, start, part }: Pack, stretches: ReadonlyMap<number, Stretch[]>, sign: 1 | -1) {
  const times = daysOf({ span, start }).map(
    (day) => signedAt(part, stretches.get(day) ?? []).find((one) => one.sign === sign)?.time,
  )
  if (times.every((time) => time === undefined)) return undefined
  return (hour: number) => times[Math.floor((hour - start) / DAY)]
}

const daysOf = ({ span, start }: PackedDays) => Array.from({ length: span / DAY }, (_, nth) => start + nth * DAY)

/** An embedded database blocks everything while it reads: some packs at once, then other work may run. */
function inTurns(reads: readonly PacksRead[]) {
  const turns: { queries: PacksQuery[]; packs: number }[] = []
  for (const { kind, days, parts } of reads) {
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
function merged(slices: readonly TimeSlice[]): Range[] {
  const stretches: Range[] = []
  for (const { from, until } of slices) {
    const last = stretches.at(-1)
    if (last?.until === from) last.until = until
    else stretches.push({ from, until })
  }
  return stretches
}
