import { canCombine, DIMENSIONS, type Dimension, OUTCOMES, type Outcome, STEPS } from '@tollgate/contract'
import type { RangeSearch } from './time-range.ts'
import { METRICS, type Metric } from './usage-metrics.ts'

/** What the address of the overview carries, as plain text: `readView` says what it means. */
export interface HomeSearch extends RangeSearch {
  metric?: string | undefined
  split?: string | undefined
}

/** And that of the analytics. */
export interface AnalyticsSearch extends HomeSearch {
  by?: string | undefined
  step?: string | undefined
  compare?: string | undefined
  model?: string | undefined
  channel?: number | undefined
  user?: string | undefined
  group?: string | undefined
  key?: string | undefined
  outcome?: string | undefined
  /** In place of a name that is empty, which a URL cannot have. */
  no_model?: 'true' | undefined
  no_key?: 'true' | undefined
  no_group?: 'true' | undefined
}

/** What calls have to have in common to be counted. */
export interface UsageFilter
  extends Pick<AnalyticsSearch, 'model' | 'channel' | 'user' | 'group' | 'key' | 'no_model' | 'no_key' | 'no_group'> {
  outcome?: Outcome | undefined
}

/** A user's calls are all the user's own, and which channel answered them is not for users to know. */
const OWN_DIMENSIONS: readonly Dimension[] = ['time', 'model', 'key', 'outcome']

export const dimensionsFor = (everyone: boolean) => (everyone ? DIMENSIONS : OWN_DIMENSIONS)

/** The dimensions by which another one can be split. Time comes first or not at all. */
export const splitsFor = (by: Dimension, everyone: boolean) =>
  dimensionsFor(everyone).filter((name) => name !== 'time' && canCombine(by, name))

/** What is shown: the defaults where the URL says nothing, and nothing that is invalid or not for this reader. */
export const readView = (search: AnalyticsSearch, everyone: boolean) => {
  const allowed = dimensionsFor(everyone)
  const by = oneOf(allowed, search.by) ?? 'time'
  const metric: Metric = oneOf(METRICS, search.metric) ?? 'quota'
  const wanted = search.split ?? (by === 'time' ? 'model' : undefined)
  const split = splitsFor(by, everyone).find((name) => name === wanted)
  return { by, split, metric, step: oneOf(STEPS, search.step), filter: readFilter(search, everyone) }
}

/** What the address says and the view leaves out, as it is written there. */
export const ignoredInView = (search: AnalyticsSearch, everyone: boolean) => {
  const { by, metric, step, filter } = readView(search, everyone)
  // A dimension that does not go with another one, or none, may be meant: the reader has changed the other.
  const split = search.split === NOT_SPLIT ? NOT_SPLIT : oneOf(dimensionsFor(everyone), search.split)
  const shown = { by, split, metric, step, ...filter }
  const names = ['by', 'split', 'metric', 'step', 'outcome', 'channel', 'user', 'group', 'no_group'] as const
  return names
    .filter((name) => search[name] !== undefined && String(search[name]) !== String(shown[name]))
    .map((name) => `${name}=${search[name]}`)
}

const NOT_SPLIT = 'none'

function readFilter(search: AnalyticsSearch, everyone: boolean): UsageFilter {
  const { model, channel, user, group, key, outcome, no_model, no_key, no_group } = search
  const own = { model, key, outcome: oneOf(OUTCOMES, outcome), no_model, no_key }
  return everyone ? { ...own, channel, user, group, no_group } : own
}

const oneOf = <Name extends string>(names: readonly Name[], text: string | undefined) =>
  names.find((name) => name === text)
