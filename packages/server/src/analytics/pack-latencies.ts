import { DAY } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { Db } from '../database/client.ts'
import { HOURS_OF_DAY } from './day-stretches.ts'
import { type Counts, SIZE, unpack } from './histogram.ts'
import { latencyPacksRepository } from './latency-packs-repository.ts'
import { latencyRepository, type PackedLatency } from './latency-repository.ts'
import { packLatencies } from './packed-latencies.ts'
import type { Pack, PackedDays } from './packs-repository.ts'

/**
 * Packs how long the calls of some days took: for each hour of the day, what was counted until then. The days of any zone, and any
 * range, are then the difference of two packs. Models by channel are only read by whole days.
 */
export const packLatencyDays = async (db: Db, made: PackedDays) => {
  const repository = latencyPacksRepository(db)
  // Before the counts themselves: those that come meanwhile make the packs invalid.
  const mark = await repository.markOf(made)
  const packs: Pack[] = [{ kind: 'latencies', ...made, part: 0, bytes: new TextEncoder().encode(mark) }]
  const days = Array.from({ length: made.span / DAY }, (_, nth) => made.start + nth * DAY)
  for (const dimension of ['all', 'both', 'channel', 'model'] as const) {
    const isWhole = dimension === 'both'
    const reads = isWhole ? { wholeDays: days, hourDays: [] } : { wholeDays: [], hourDays: days }
    const rows = (await latencyRepository(db).read({ dimension, ...reads })).map((row) => untilHour(row, made.start))
    for (let hour = isWhole ? HOURS_OF_DAY : 1; hour <= HOURS_OF_DAY; hour++) {
      const bytes = packLatencies(rows.map((countUntil) => countUntil(hour)).filter(({ counts }) => counts.size > 0))
      packs.push({ kind: `latencies ${dimension}`, ...made, part: hour, bytes })
      await yieldToEventLoop()
    }
  }
  await repository.write(packs)
}

/** What a row counts until an hour of its day; the hours have to be asked for in turn. */
function untilHour({ day, model_name, channel, packed }: PackedLatency, start: number) {
  const all: [place: number, count: number][] = []
  unpack(packed, (place, count) => all.push([place, count]))
  const counts: Counts = new Map()
  let next = 0
  return (hour: number) => {
    for (let one = all[next]; one !== undefined && one[0] < hour * SIZE; one = all[++next]) {
      const bucket = one[0] % SIZE
      counts.set(bucket, (counts.get(bucket) ?? 0) + one[1])
    }
    return { day: (day - start) / DAY, route: [model_name, channel] as const, counts }
  }
}
