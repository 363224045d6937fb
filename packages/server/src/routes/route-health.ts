import type { RouteChannel } from '@tollgate/contract'
import { type Histogram, percentile } from '../analytics/histogram.ts'
import { cellId, createLatencies } from '../analytics/latencies.ts'
import type { LatencyTally } from '../analytics/latency-tally.ts'
import { wholeSlices } from '../analytics/query-plan.ts'
import type { Route } from '../catalog/snapshot.ts'
import type { Attention } from '../channels/channel-attention.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import type { Health } from '../upstream/health.ts'

interface Needs {
  db: Db
  clock: Clock
  health: Health
  attention: Pick<Attention, 'all'>
  tally: Pick<LatencyTally, 'flush'>
}

export type RouteHealth = ReturnType<typeof createRouteHealth>

/** The health of a model's channels: from the log, the histograms, and this node's own calls. */
export const createRouteHealth = ({ db, clock, health, attention, tally }: Needs) => {
  const latencies = createLatencies(db)

  /** Latencies are recorded under upstream names, and channels may map a model to different ones. */
  const histograms = async (routes: readonly Route[], model: string) => {
    const end = Math.ceil((seconds(clock) + 1) / HOUR) * HOUR
    const slices = wholeSlices({ start: end - DAY, end })
    const found = new Map<number, Histogram>()
    for (const [name, some] of Map.groupBy(routes, ({ mapping }) => mapping.get(model) ?? model)) {
      const names = some.map(({ id }) => String(id))
      const known = await latencies({ slices, parts: ['channel'], filter: { model: name }, timeOf: () => 0, names })
      for (const { id } of some) {
        const histogram = known.get(cellId(0, String(id)))
        if (histogram !== undefined) found.set(id, histogram)
      }
    }
    return found
  }

  return async (routes: readonly Route[], model: string): Promise<(route: Route) => RouteChannel['health']> => {
    const { channels } = await attention.all()
    const outcomes = new Map(channels.map((channel) => [channel.id, channel]))
    await tally.flush()
    const times = await histograms(routes, model)
    return ({ id }) => {
      const { open, closedUntil } = health.status(id, model)
      const { recent = NOTHING, day = NOTHING } = outcomes.get(id) ?? {}
      return {
        recent,
        day,
        first_byte_p50: percentile(times.get(id), 'first_byte', 0.5),
        first_byte_p95: percentile(times.get(id), 'first_byte', 0.95),
        open,
        closed_until: closedUntil === undefined ? null : Math.ceil(closedUntil / 1000),
      }
    }
  }
}

const NOTHING = { failed: 0, calls: 0 }
