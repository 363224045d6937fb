import { DAY, HOUR } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { Db } from '../database/client.ts'
import { addHours, emptyHistogram, type Histogram } from './histogram.ts'
import { type LatencyDimension, latencyRepository, type PackedLatency } from './latency-repository.ts'
import type { PackCache } from './pack-cache.ts'
import { type DayPart, packedLatencyDays } from './packed-latency-days.ts'
import type { Route } from './packed-rows.ts'
import type { SliceCache } from './slice-cache.ts'
import type { Part, SumsFilter } from './sums-repository.ts'
import type { TimeSlice } from './time-slices.ts'

export interface LatencyPlan {
  slices: readonly TimeSlice[]
  parts: readonly Part[]
  filter: SumsFilter
  /** The start of the step that contains an hour; 0 when rows are not by time. */
  timeOf(hour: number): number
  /** Only these users, when rows are by user. */
  users?: readonly number[]
  /** Only these names of a single part: by step there are thousands of histograms, most of which are not shown. */
  names?: readonly string[] | undefined
  /** Of models by channel, only these models. */
  models?: readonly string[] | undefined
}

/** Histograms by step and part, with the ids of `cellId`; none where they are not counted separately. Without packs, from rows alone. */
export const createLatencies = (
  db: Db,
  cache: Pick<SliceCache, 'getOrRead'> = { getOrRead: (_name, _slices, read) => read() },
  packs?: PackCache,
) => {
  const repository = latencyRepository(db)
  const addPacked = packs === undefined ? undefined : packedLatencyDays({ db, cache, packs })
  return async ({
    slices,
    parts,
    filter,
    timeOf,
    users,
    names,
    models,
  }: LatencyPlan): Promise<Map<string, Histogram>> => {
    const found = new Map<string, Histogram>()
    const source = sourceOf(parts, filter, { users, names, models })
    if (source === undefined || source.users?.length === 0) return found
    const histogramOf = (time: number, name: string) => {
      const id = cellId(time, name)
      const known = found.get(id)
      if (known !== undefined) return known
      const histogram = emptyHistogram()
      found.set(id, histogram)
      return histogram
    }
    const isWanted = wantedBy(source)
    const nameOfRoute = ([model_name, channel]: Route) =>
      isWanted(model_name, channel) ? nameOf({ model_name, channel, user_id: 0 }, parts) : undefined
    const days = daysOf(slices)
    const { dimension } = source
    const left = (await addPacked?.(days, { dimension, timeOf, nameOf: nameOfRoute, histogramOf })) ?? days
    const [from = 0, until = 0] = [slices[0]?.from, slices.at(-1)?.until]
    for (const { wholeDays, hourDays, end } of readsOf(left)) {
      const query = { ...source, wholeDays, hourDays }
      // Fetching them takes longer than summing them.
      const read = () => repository.read(query)
      for (const row of await cache.getOrRead(`latencies ${JSON.stringify(query)}`, [{ until: end }], read)) {
        const name = nameOf(row, parts)
        let last: { time: number; histogram: Histogram } | undefined
        addHours(row.packed, (number) => {
          const hour = row.day + number * HOUR
          if (row.by_hour === 1 && (hour < from || hour >= until)) return undefined
          const time = timeOf(hour)
          // Most hours of a day belong to the same step.
          if (last?.time !== time) last = { time, histogram: histogramOf(time, name) }
          return last.histogram
        })
      }
      await yieldToEventLoop()
    }
    return found
  }
}

/** Which days are read as a whole, and which by the hour, because a step or the range begins or ends in them. */
function daysOf(slices: readonly TimeSlice[]): DayPart[] {
  return slices.flatMap(({ span, from, until }) => {
    const days: DayPart[] = []
    for (let day = from - (from % DAY); day < until; day += DAY)
      days.push({ day, isWhole: span === DAY, from: Math.max(from, day), until: Math.min(until, day + DAY) })
    return days
  })
}

/** What one statement reads. */
interface LatencyRead {
  wholeDays: number[]
  hourDays: number[]
  end: number
}

/** Cut at the same times whatever the range, and whatever spans its days are in, so that what was read of one serves others too. */
function readsOf(days: readonly DayPart[]): LatencyRead[] {
  const reads = new Map<number, LatencyRead>()
  for (const { day, isWhole, until } of days) {
    const part = Math.floor(day / DAYS_AT_ONCE)
    const read = reads.get(part) ?? { wholeDays: [], hourDays: [], end: 0 }
    reads.set(part, read)
    const some = isWhole ? read.wholeDays : read.hourDays
    if (some.at(-1) !== day) some.push(day)
    read.end = until
  }
  return [...reads.values()]
}

/** As with slices, other work may run between two statements. */
const DAYS_AT_ONCE = 32 * DAY

export const cellId = (time: number, name: string) => `${time} ${name}`

interface Source {
  dimension: LatencyDimension
  models?: readonly string[] | undefined
  channels?: readonly number[] | undefined
  users?: readonly number[] | undefined
}

function sourceOf(
  parts: readonly Part[],
  filter: SumsFilter,
  { users, names, models }: Pick<LatencyPlan, 'names' | 'models'> & { users: LatencyPlan['users'] | undefined },
): Source | undefined {
  const { model, channel, groups, exceptGroups, key } = filter
  if ([groups, exceptGroups, key].some((one) => one !== undefined)) return undefined
  if (parts.includes('group') || parts.includes('key')) return undefined
  const byModel = parts.includes('model') || model !== undefined
  const byChannel = parts.includes('channel') || channel !== undefined
  if (filter.users !== undefined || parts.includes('user')) {
    if (byModel || byChannel) return undefined
    return { dimension: 'user', users: filter.users?.ids ?? users ?? [] }
  }
  const dimension = byModel && byChannel ? 'both' : byModel ? 'model' : byChannel ? 'channel' : 'all'
  const chosen = <V>(wanted: V | undefined, isPart: boolean, read: (name: string) => V) =>
    wanted !== undefined ? [wanted] : isPart && names !== undefined && names.length > 0 ? names.map(read) : undefined
  return {
    dimension,
    models: chosen(model, parts.includes('model'), String) ?? models,
    channels: chosen(channel, parts.includes('channel'), Number),
  }
}

/** Whether a question is about a model at a channel. */
function wantedBy({ models, channels }: Source) {
  const [someModels, someChannels] = [models && new Set(models), channels && new Set(channels)]
  return (model: string, channel: number) => someModels?.has(model) !== false && someChannels?.has(channel) !== false
}

/** With the cell names of `addTo`, except that users are identified by id; the caller knows their names. */
const nameOf = (
  { model_name, channel, user_id }: Pick<PackedLatency, 'model_name' | 'channel' | 'user_id'>,
  parts: readonly Part[],
) => parts.map((part) => (part === 'model' ? model_name : part === 'channel' ? channel : user_id)).join('\n')
