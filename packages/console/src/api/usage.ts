import { queryOptions } from '@tanstack/react-query'
import { analytics, type Dimension, type Step } from '@tollgate/contract'
import { nowSeconds } from '../lib/format/time.ts'
import { readersZone } from '../lib/format/zone.ts'
import { type RangeSearch, readRange, type Span } from '../lib/usage/time-range.ts'
import { possibleSteps } from '../lib/usage/time-steps.ts'
import { type Metric, orderOf } from '../lib/usage/usage-metrics.ts'
import type { Usage } from '../lib/usage/usage-rows.ts'
import type { UsageFilter } from '../lib/usage/usage-search.ts'
import { call } from './call.ts'

export interface UsageQuery {
  /** Everybody's calls, which only administrators may request, or one's own. */
  everyone: boolean
  range: RangeSearch
  by: readonly Dimension[]
  step?: Step | undefined
  filter?: UsageFilter
  /** The one that is looked at. */
  metric?: Metric
  /** How many rows have a name of their own; absent for the server's default. */
  top?: number | undefined
  /** Replaces the range: a preceding period need not begin at midnight. */
  span?: Span | undefined
}

/** Usage of a range of days in the reader's time zone. */
export const usageOf = ({ everyone, range, by, step, filter = {}, metric = 'quota', top, span }: UsageQuery) =>
  queryOptions({
    queryKey: ['usage', everyone, range, by, step, filter, orderOf(metric), top, span],
    queryFn: async (): Promise<Usage> => {
      const zone = readersZone()
      const { days, today, ...read } = readRange(range, { zone, now: nowSeconds() })
      const possible = possibleSteps(days).find((known) => known === step)
      const query = {
        ...filter,
        ...(span ?? read),
        zone,
        by: by.join(','),
        step: possible,
        order: orderOf(metric),
        top,
      }
      const usage = await (everyone ? call(analytics.read, { query }) : call(analytics.readSelf, { query: own(query) }))
      return { ...usage, days, today }
    },
    // The figures before stay while others load, unless they are another's.
    placeholderData: (before, query) => (query?.queryKey[1] === everyone ? before : undefined),
  })

/** All of a user's calls are their own, so these dimensions are not requested. */
const own = <Query extends UsageFilter>({ user: _user, channel: _channel, group: _group, ...query }: Query) => query
