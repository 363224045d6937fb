import type { Log } from '../common/log.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import type { CallLog } from '../ledger/books.ts'
import { bucketOf, type Counts, SIZE } from './histogram.ts'
import { type LatencyRow, latencyRepository } from './latency-repository.ts'

export type LatencyTally = ReturnType<typeof createLatencyTally>

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

const WRITE_DELAY_MS = 10_000
/** During a long outage of the database the oldest calls are dropped: percentiles are estimates, and memory is limited. */
const WAITING_MAX = 20_000

/**
 * Adds up how long calls took, some seconds later and for many calls at once: percentiles are estimates, and no call pays for
 * them. A process that dies takes the last seconds with it.
 */
export const createLatencyTally = ({ db, log }: { db: Db; log: Log }) => {
  const repository = latencyRepository(db)
  let waiting: TimedCall[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const calls = waiting
    waiting = []
    if (calls.length === 0) return
    try {
      await repository.add(latencyRows(calls))
    } catch (error) {
      log.warn('How long calls took could not be written yet', { error, calls: calls.length })
      waiting = [...calls, ...waiting].slice(-WAITING_MAX)
    }
  }

  /** Resolves when all that was noted is written. */
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    note(call: TimedCall) {
      if (call.outcome !== 'success') return
      const { created_at, user_id, model_name, channel, outcome } = call
      const { first_byte_time, elapsed_time, completion_tokens, is_stream } = call
      // Not the row itself, which also has a long text.
      waiting.push({
        ...{ created_at, user_id, model_name, channel, outcome },
        ...{ first_byte_time, elapsed_time, completion_tokens, is_stream },
      })
      if (timer !== undefined) return
      timer = setTimeout(flush, WRITE_DELAY_MS)
      timer.unref()
    },
    flush,
  }
}

/** What calls add to the histograms: a row for each dimension that can be queried. */
export const latencyRows = (calls: readonly TimedCall[]): LatencyRow[] => {
  const rows = new Map<string, LatencyRow>()
  for (const call of calls) {
    if (call.outcome !== 'success') continue
    const day = call.created_at - (call.created_at % DAY)
    const hour = (call.created_at - day - (call.created_at % HOUR)) / HOUR
    const { model_name: model, channel, user_id } = call
    const buckets = bucketsOf(call)
    const add = (row: Omit<LatencyRow, 'hours'>) => {
      const id = `${row.dimension} ${day} ${row.channel} ${row.user_id} ${row.model_name}`
      const known = rows.get(id) ?? { ...row, hours: new Map() }
      rows.set(id, known)
      for (const bucket of buckets) increase(known.hours, hour * SIZE + bucket, 1)
    }
    add({ dimension: 'all', day, model_name: '', channel: 0, user_id: 0 })
    add({ dimension: 'model', day, model_name: model, channel: 0, user_id: 0 })
    add({ dimension: 'channel', day, model_name: '', channel, user_id: 0 })
    add({ dimension: 'both', day, model_name: model, channel, user_id: 0 })
    add({ dimension: 'user', day, model_name: '', channel: 0, user_id })
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

function bucketsOf({ first_byte_time, elapsed_time, completion_tokens, is_stream }: TimedCall) {
  const outputMs = elapsed_time - first_byte_time
  return [
    ...(first_byte_time > 0 ? [bucketOf('first_byte', first_byte_time)] : []),
    ...(elapsed_time > 0 ? [bucketOf('elapsed', elapsed_time)] : []),
    ...(is_stream === 1 && outputMs > 0 && completion_tokens > 0
      ? [bucketOf('speed', (completion_tokens * 1000) / outputMs)]
      : []),
  ]
}

function increase(counts: Counts, place: number, by: number) {
  counts.set(place, (counts.get(place) ?? 0) + by)
}
