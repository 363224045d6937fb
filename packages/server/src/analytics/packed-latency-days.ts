import { DAY } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { Db } from '../database/client.ts'
import { HOURS_OF_DAY, hoursOf, type Stretch, signedAt, stretchesOf } from './day-stretches.ts'
import type { Histogram } from './histogram.ts'
import { latencyPacksRepository } from './latency-packs-repository.ts'
import type { LatencyDimension } from './latency-repository.ts'
import type { PackCache } from './pack-cache.ts'
import { createLatencyAdder } from './packed-latencies.ts'
import type { Route } from './packed-rows.ts'
import { longest, type Pack, type PackedDays, packsRepository } from './packs-repository.ts'
import type { SliceCache } from './slice-cache.ts'
import { FOUR_DAYS } from './zone-time.ts'

/** A day of UTC, or the part of it that a question is about. */
export interface DayPart {
  day: number
  isWhole: boolean
  from: number
  until: number
}

interface Wanted {
  dimension: LatencyDimension
  timeOf(hour: number): number
  /** Undefined for what is not part of the question. */
  nameOf(route: Route): string | undefined
  histogramOf(time: number, name: string): Histogram
}

interface Sources {
  db: Db
  cache: Pick<SliceCache, 'getOrRead'>
  packs: PackCache
}

/** Packed days, and which of their hours are needed. */
interface Needed extends PackedDays {
  stretches: Map<number, Stretch[]>
  hours: readonly number[]
}

/** How long the calls of finished days took, from packs. */
export const packedLatencyDays = ({ db, cache, packs }: Sources) => {
  const { read } = packsRepository(db)

  const find = async (parts: readonly DayPart[]) => {
    const range = { from: startOf(parts[0]), until: (parts.at(-1)?.day ?? 0) + DAY }
    return cache.getOrRead(`packed latencies ${JSON.stringify(range)}`, [range], async () => {
      const found = await latencyPacksRepository(db).valid(range)
      packs.note('latencies', found)
      return longest(found)
    })
  }

  /** Returns the parts that are not packed. */
  return async (parts: readonly DayPart[], wanted: Wanted): Promise<DayPart[]> => {
    const { dimension, timeOf, nameOf, histogramOf } = wanted
    const isPacked = ({ isWhole }: DayPart) => dimension !== 'user' && (isWhole || dimension !== 'both')
    const packable = parts.filter(isPacked)
    if (dimension === 'user' || packable.length === 0) return [...parts]
    const found = await find(packable)
    const packOf = ({ day }: DayPart) => found.find(({ start, span }) => day >= start && day < start + span)
    const byPack = Map.groupBy(packable, packOf)
    const needed = [...byPack].flatMap(([days, some]) => (days === undefined ? [] : neededOf(days, some, timeOf)))
    const addCounts = createLatencyAdder()
    const known = new Map<readonly Route[], (string | undefined)[]>()
    const namesOf = (routes: readonly Route[]) => {
      const names = known.get(routes) ?? routes.map(nameOf)
      known.set(routes, names)
      return names
    }
    const add = ({ bytes, part: hour }: Pack, { stretches }: Needed) => {
      const signed = new Map([...stretches].map(([day, ofDay]) => [day, signedAt(hour, ofDay)]))
      addCounts(bytes, (routes) => {
        const names = namesOf(routes)
        return (day, place) => {
          const name = names[place]
          if (name === undefined) return []
          return (signed.get(day) ?? []).map(({ time, sign }) => ({ histogram: histogramOf(time, name), sign }))
        }
      })
    }
    for (const some of inTurns(needed)) {
      const queries = [{ kind: `latencies ${dimension}` as const, days: some, parts: some[0]?.hours ?? [] }]
      const byStart = new Map(some.map((one) => [one.start, one]))
      for (const pack of await packs.getOrRead(queries, () => read(queries))) {
        const one = byStart.get(pack.start)
        if (one !== undefined) add(pack, one)
      }
      await yieldToEventLoop()
    }
    return parts.filter((part) => !isPacked(part) || packOf(part) === undefined)
  }
}

const startOf = (part: DayPart | undefined) => (part === undefined ? 0 : part.day - (part.day % FOUR_DAYS))

function neededOf({ span, start }: PackedDays, parts: readonly DayPart[], timeOf: Wanted['timeOf']): Needed {
  const stretches = new Map<number, Stretch[]>()
  for (const part of parts) {
    const nth = (part.day - start) / DAY
    stretches.set(nth, [...(stretches.get(nth) ?? []), ...stretchesIn(part, timeOf)])
  }
  return { span, start, stretches, hours: hoursOf([...stretches.values()].flat()) }
}

const stretchesIn = ({ day, isWhole, from, until }: DayPart, timeOf: Wanted['timeOf']): Stretch[] =>
  isWhole
    ? [{ from: 0, until: HOURS_OF_DAY, time: timeOf(day) }]
    : stretchesOf(day, (hour) => (hour < from || hour >= until ? undefined : timeOf(hour)))

/** Those that need the same hours together, but not too many at once: an embedded database blocks everything while it reads. */
function inTurns(needed: readonly Needed[]) {
  const turns: Needed[][] = []
  for (const some of Map.groupBy(needed, ({ hours }) => hours.join()).values()) {
    const atOnce = Math.max(1, Math.floor(PACKS_AT_ONCE / (some[0]?.hours.length ?? 1)))
    for (let first = 0; first < some.length; first += atOnce) turns.push(some.slice(first, first + atOnce))
  }
  return turns
}

const PACKS_AT_ONCE = 56
