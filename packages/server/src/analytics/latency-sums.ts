import { DAY, HOUR } from '../common/time-units.ts'
import type { CallLog } from '../ledger/books.ts'
import { bucketOf, type Counts, SIZE } from './histogram.ts'
import type { LatencyRow } from './latency-repository.ts'

/** The columns of a call from which latencies are computed. */
export type TimedCall = Pick<
  CallLog,
  | 'created_at'
  | 'user_id'
  | 'model_name'
  | 'channel'
  | 'outcome'
  | 'first_byte_time'
  | 'elapsed_time'
  | 'completion_tokens'
  | 'is_stream'
>

/** What calls add to the histograms: a row for each dimension that can be queried. */
export const createLatencySums = () => {
  const rows = new Map<string, LatencyRow>()
  /** The histograms of all dimensions, by everything that tells calls apart. */
  const known = new Map<string, Counts[]>()

  const countsOf = (row: Omit<LatencyRow, 'hours'>) => {
    const id = `${row.dimension} ${row.day} ${row.channel} ${row.user_id} ${row.model_name}`
    const found = rows.get(id)
    if (found !== undefined) return found.hours
    const hours: Counts = new Map()
    rows.set(id, { ...row, hours })
    return hours
  }

  const allCountsOf = (day: number, { model_name, channel, user_id }: TimedCall) => {
    const id = `${day} ${channel} ${user_id} ${model_name}`
    const found = known.get(id)
    if (found !== undefined) return found
    const all = [
      countsOf({ dimension: 'all', day, model_name: '', channel: 0, user_id: 0 }),
      countsOf({ dimension: 'model', day, model_name, channel: 0, user_id: 0 }),
      countsOf({ dimension: 'channel', day, model_name: '', channel, user_id: 0 }),
      countsOf({ dimension: 'both', day, model_name, channel, user_id: 0 }),
      countsOf({ dimension: 'user', day, model_name: '', channel: 0, user_id }),
    ]
    known.set(id, all)
    return all
  }

  return {
    add(call: TimedCall) {
      if (call.outcome !== 'success') return
      const { created_at, first_byte_time, elapsed_time, completion_tokens, is_stream } = call
      const day = created_at - (created_at % DAY)
      const first = ((created_at - day - (created_at % HOUR)) / HOUR) * SIZE
      const all = allCountsOf(day, call)
      if (first_byte_time > 0) increase(all, first + bucketOf('first_byte', first_byte_time))
      if (elapsed_time > 0) increase(all, first + bucketOf('elapsed', elapsed_time))
      const outputMs = elapsed_time - first_byte_time
      if (is_stream === 1 && outputMs > 0 && completion_tokens > 0) {
        increase(all, first + bucketOf('speed', (completion_tokens * 1000) / outputMs))
      }
    },
    addRows(more: readonly LatencyRow[]) {
      for (const row of more) {
        const hours = countsOf(row)
        for (const [place, count] of row.hours) hours.set(place, (hours.get(place) ?? 0) + count)
      }
    },
    /** In the order of their keys, those of all calls last: by them, packs of the others are known to be complete. */
    rows: () =>
      [...rows]
        .sort(([one, row], [other, second]) => isLast(row) - isLast(second) || (one < other ? -1 : 1))
        .map(([, row]) => row),
  }
}

const isLast = ({ dimension }: LatencyRow) => Number(dimension === 'all')

export const latencyRows = (calls: readonly TimedCall[]): LatencyRow[] => {
  const sums = createLatencySums()
  for (const call of calls) sums.add(call)
  return sums.rows()
}

function increase(all: readonly Counts[], place: number) {
  for (const counts of all) counts.set(place, (counts.get(place) ?? 0) + 1)
}
