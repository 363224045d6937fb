import { OUTCOMES } from '@tollgate/contract'
import type { CallLog } from '../ledger/books.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import type { Labels, Metric } from './metric.ts'

export type CallMetrics = ReturnType<typeof createCallMetrics>

/** Above this the rest is reported together as `other`, so that a scrape stays small. */
const PAIRS_MAX = 1000
const CHANNELS_MAX = 500
const OTHER = 'other'

const FIRST_BYTE_SEC = [0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 30, 60, 300]
const WHOLE_SEC = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 180, 600, 3600]

const KINDS = ['input', 'cached', 'cache_write', 'output', 'reasoning'] as const

/** Counters of one model through one channel. */
interface Pair {
  labels: Labels
  outcomes: number[]
  tokens: number[]
  quota: number
}

interface Durations {
  labels: Labels
  firstByte: Histogram
  whole: Histogram
}

/** Counts calls as their charges are written, since the start of this process. */
export const createCallMetrics = () => {
  const pairs = new Map<string, Pair>()
  const channels = new Map<number, Durations>()

  const pairOf = ({ model_name, channel }: CallLog): Pair => {
    const key = `${channel} ${model_name}`
    const known = pairs.get(key)
    if (known !== undefined) return known
    const isFull = pairs.size >= PAIRS_MAX
    if (isFull && pairs.has(OTHER)) return pairs.get(OTHER) as Pair
    const labels = isFull ? { model: OTHER, channel: OTHER } : { model: model_name, channel: String(channel) }
    const pair = { labels, outcomes: OUTCOMES.map(() => 0), tokens: KINDS.map(() => 0), quota: 0 }
    pairs.set(isFull ? OTHER : key, pair)
    return pair
  }

  const durationsOf = (channel: number): Durations => {
    const id = channels.size < CHANNELS_MAX || channels.has(channel) ? channel : -1
    const known = channels.get(id)
    if (known !== undefined) return known
    const labels = { channel: id === -1 ? OTHER : String(id) }
    const durations = { labels, firstByte: createHistogram(FIRST_BYTE_SEC), whole: createHistogram(WHOLE_SEC) }
    channels.set(id, durations)
    return durations
  }

  return {
    count(log: CallLog) {
      const pair = pairOf(log)
      const outcome = OUTCOMES.indexOf(log.outcome)
      pair.outcomes[outcome] = (pair.outcomes[outcome] ?? 0) + 1
      pair.quota += log.quota
      const { prompt_tokens, cached_tokens, cache_write_tokens, completion_tokens, reasoning_tokens } = log
      const tokens = [prompt_tokens, cached_tokens, cache_write_tokens, completion_tokens, reasoning_tokens]
      for (const [index, count] of tokens.entries()) pair.tokens[index] = (pair.tokens[index] ?? 0) + count
      const { firstByte, whole } = durationsOf(log.channel)
      if (log.first_byte_time > 0) firstByte.observe(log.first_byte_time / 1000)
      whole.observe(log.elapsed_time / 1000)
    },

    read(): Metric[] {
      const all = [...pairs.values()]
      const durations = [...channels.values()]
      const counted = (labelName: string, names: readonly string[], of: (pair: Pair) => number[]) =>
        all.flatMap((pair) =>
          of(pair).flatMap((value, index) =>
            value === 0 ? [] : { labels: { ...pair.labels, [labelName]: names[index] ?? '' }, value },
          ),
        )
      return [
        {
          ...{ name: 'tollgate_calls_total', type: 'counter' },
          help: 'Calls that were sent to a channel, by how they ended.',
          points: counted('outcome', OUTCOMES, ({ outcomes }) => outcomes),
        },
        {
          ...{ name: 'tollgate_tokens_total', type: 'counter' },
          help: 'Tokens of calls; cached and cache_write are part of input, reasoning is part of output.',
          points: counted('kind', KINDS, ({ tokens }) => tokens),
        },
        {
          ...{ name: 'tollgate_quota_total', type: 'counter' },
          help: 'Quota charged for calls, in the units of the ledger.',
          points: all.map(({ labels, quota }) => ({ labels, value: quota })),
        },
        {
          ...{ name: 'tollgate_first_byte_seconds', type: 'histogram', unit: 's' },
          help: 'Time until the answer began.',
          points: durations.map(({ labels, firstByte }) => ({ labels, value: firstByte.read() })),
        },
        {
          ...{ name: 'tollgate_call_seconds', type: 'histogram', unit: 's' },
          help: 'Time until the answer was complete.',
          points: durations.map(({ labels, whole }) => ({ labels, value: whole.read() })),
        },
      ]
    },
  }
}
