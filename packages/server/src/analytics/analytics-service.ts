import { type Analytics, type AnalyticsQuery, type AnalyticsRow, OUTCOMES } from '@tollgate/contract'
import type { Clock } from '../common/clock.ts'
import { DAY } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { Db } from '../database/client.ts'
import { allGroupLists, groupLists } from '../database/group-members.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { type FiguresDb, upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { createActiveKeys } from './active-keys.ts'
import {
  addTo,
  type Cell,
  emptyCell,
  foldOthers,
  type Listed,
  listed,
  subtract,
  type Top,
  usersOf,
  withGroup,
} from './cells.ts'
import { createFigureKeys, type FigureKeys } from './figure-keys-repository.ts'
import type { History } from './history.ts'
import { cellId, createLatencies, type LatencyPlan } from './latencies.ts'
import type { LatencyTally } from './latency-tally.ts'
import { metricsOf, outcomeMetrics } from './metrics.ts'
import { createPackCache, type PackCache } from './pack-cache.ts'
import { isPackable, packedDays } from './packed-days.ts'
import { type NamedCell, pairsOf } from './pairs.ts'
import { planQuery, type QueryPlan, type Range, type TimeSteps } from './query-plan.ts'
import { rankingOf } from './ranking.ts'
import { createSliceCache } from './slice-cache.ts'
import { type FigureColumn, type Part, type SumsFilter, sumsRepository, together } from './sums-repository.ts'
import type { TimeSlice } from './time-slices.ts'
import { FOUR_DAYS } from './zone-time.ts'

export type AnalyticsService = ReturnType<typeof createAnalyticsService>

/** Everybody's usage, or that of one user. */
export type AnalyticsScope = 'everyone' | { userId: number }

interface Needs {
  db: Db
  clock: Clock
  tally: Pick<LatencyTally, 'flush'>
  history: Pick<History, 'isFilling'>
}

/** Answers analytics queries from the figures, never from the log. */
export const createAnalyticsService = ({ db, clock, tally, history }: Needs) => {
  const cache = createSliceCache(clock)
  const keys = createFigureKeys()
  const packs = createPackCache(clock)
  const latencies = createLatencies(db, cache, packs)
  return {
    async read(scope: AnalyticsScope, query: AnalyticsQuery): Promise<Analytics> {
      const figures = await upToDateFigures(db)
      await tally.flush()
      return analyticsOf({ figures, cache, keys, packs, latencies, history }).read(scope, query)
    },
  }
}

interface Sources extends Pick<Needs, 'history'> {
  figures: FiguresDb
  cache: ReturnType<typeof createSliceCache>
  keys: FigureKeys
  packs: PackCache
  latencies: ReturnType<typeof createLatencies>
}

function analyticsOf({ figures, cache, keys, packs, latencies, history }: Sources) {
  const sums = sumsRepository(figures)
  const days = packedDays({ figures, keys, cache: packs })

  const readPacked = async ({ start, end }: Range) => {
    const range = { from: start - (start % FOUR_DAYS), until: end - (end % DAY) }
    return days.use(await cache.getOrRead(`packed ${JSON.stringify(range)}`, [range], () => days.find(range)))
  }

  /** The requested figures of some slices, as one cell per step and part. */
  const read = async (query: FiguresQuery) => {
    const { slices, step, parts = [], filter, columns = FIGURE_COLUMNS } = query
    // By time alone, the rows of an hour are summed here, which saves the database a sort.
    const time = step === undefined ? undefined : step.name === 'hour' || parts.length === 0 ? 'hour' : 'day'
    const readInto = async (cells: Map<string, Cell>, some: readonly TimeSlice[]) => {
      const { packed, unpacked } = partition(some, filter)
      await days.addTo(cells, packed, { parts, filter, columns, timeOf: step?.ofHour })
      for (const read of together(unpacked, { time, parts, filter }))
        for (const row of await inTurn(sums.read({ slices: read, time, parts, filter, columns })))
          addTo(cells, step?.[time === 'hour' ? 'ofHour' : 'ofDay'](row.time), parts, row)
      return cells
    }
    const { closed, open } = cache.partition(slices)
    const name = `sums ${JSON.stringify({ closed, step, parts, filter, columns })}`
    const known = await cache.getOrRead(name, closed, async () => [...(await readInto(new Map(), closed))])
    return readInto(new Map(known.map(([id, cell]) => [id, cell.copy()])), open)
  }

  /** Most users are in one group, whose calls need not be read: they are the total without those of the others. */
  const readGroups = async (query: Omit<FiguresQuery, 'parts'>) => {
    const most = await sums.majorityGroup()
    const others = await read({ ...query, parts: ['group'], filter: { ...query.filter, exceptGroups: most?.lists } })
    return most === undefined ? others : withGroup(most.group, await read(query), others)
  }

  const time = async (cells: Iterable<Cell>, plan: LatencyPlan) => {
    const found = await latencies(plan)
    for (const cell of cells) {
      const name = plan.parts[0] === 'user' ? String(cell.row.user_id) : cell.part
      if (!cell.isOther) cell.latency = found.get(cellId(cell.time, name))
    }
  }

  /** Where a part may have thousands of values, only the top ones are read; the total minus these is the rest. */
  const list = async (part: Part, plan: Pick<QueryPlan, 'slices' | 'whole' | 'step'>, of: Listing): Promise<Listed> => {
    const { slices, whole, step } = plan
    const { filter, ranking } = of
    const parts = [part]
    const isOfAll = [filter.users, filter.groups, filter.exceptGroups].every((one) => one === undefined)
    if (part === 'group' && isOfAll) return listed(await readGroups({ slices, step, filter }), of)
    if (!hasMany(part, of.filter, step)) return listed(await read({ slices, step, parts, filter }), of)
    const ranks = listed(await read({ slices: whole, parts, filter, columns: ranking.columns }), of)
    const ofTop = await read({
      slices,
      step,
      parts,
      filter: { ...filter, users: { ids: usersOf(ranks), username: undefined } },
    })
    return { ...ranks, cells: subtract(await read({ slices, step, filter }), ofTop, ranks.top) }
  }

  const cellsOf = async (plan: QueryPlan, of: Listing) => {
    const { slices, step, parts } = plan
    const [part] = parts
    const { cells, order, top } =
      part === undefined ? listed(await read({ slices, step, filter: of.filter }), of) : await list(part, plan, of)
    const total = emptyCell()
    for (const cell of cells.values()) total.add(cell)
    const users = usersOf({ cells, top: new Set([...top].slice(0, TIMED_USERS_MAX)) })
    const names = step === undefined ? undefined : [...top]
    const timeOf = (hour: number) => step?.ofHour(hour) ?? 0
    // By step there are thousands of cells, of which only those with a name are shown.
    const timed = names === undefined ? cells.values() : cells.values().filter((cell) => top.has(cell.part))
    await time(timed, { slices, parts, filter: of.filter, users, names, timeOf })
    const folded = foldOthers(cells.values(), top, order)
    return { rows: folded.map((cell) => ({ cell, parts: cell.isOther ? [] : parts })), total }
  }

  const answerTo = async (plan: QueryPlan, of: Listing) => {
    const { whole, parts } = plan
    const { filter } = of
    const [first, second] = parts
    if (first === undefined || second === undefined) return cellsOf(plan, of)
    const answer = await pairsOf(
      {
        read: (some, only) => read({ slices: whole, parts: some, filter: only }),
        list: (part) => list(part, { slices: whole, whole, step: undefined }, of),
      },
      [first, second],
      of,
    )
    // Latencies are not recorded by user and another dimension.
    if (!parts.includes('user')) {
      const cells = answer.rows.map(({ cell }) => cell)
      const models = parts.includes('model') ? [...new Set(cells.map(({ row }) => row.model))] : undefined
      await time(cells, { slices: whole, parts, filter, timeOf: () => 0, models })
    }
    return answer
  }

  const totalsOf = async (slices: TimeSlice[], filter: SumsFilter, scope: AnalyticsScope, counted?: Cell) => {
    const cell = counted ?? [...(await read({ slices, filter })).values()][0] ?? emptyCell()
    await time([cell], { slices, parts: [], filter, timeOf: () => 0 })
    const readActive = async (some: readonly TimeSlice[]) => {
      const { packed, unpacked } = partition(some, filter)
      const active = createActiveKeys()
      for (const { line, user_id } of await days.active(packed, filter)) active.add(line, user_id)
      for (const read of together(unpacked, { time: undefined, parts: ['key'], filter }))
        for (const text of await inTurn(sums.active({ slices: read, filter })))
          for (const line of text.split('\n')) active.add(line)
      return active
    }
    const { closed, open } = cache.partition(slices)
    // As one row, because there are thousands and they are cached.
    const [known] = await cache.getOrRead(`active ${JSON.stringify({ closed, filter })}`, closed, async () => [
      await readActive(closed),
    ])
    const active = await readActive(open)
    return {
      cell,
      active: {
        active_users: scope === 'everyone' ? active.users.union(known?.users ?? new Set()).size : null,
        active_keys: active.keys.union(known?.keys ?? new Set()).size,
      },
    }
  }

  const filterOf = async (scope: AnalyticsScope, query: AnalyticsQuery): Promise<SumsFilter> => {
    const { channel, group, user } = query
    const model = query.no_model === undefined ? query.model : ''
    const key = query.no_key === undefined ? query.key : ''
    if (scope !== 'everyone') return { model, key, users: { ids: [scope.userId], username: undefined, isReader: true } }
    const users = user === undefined ? undefined : { ids: await sums.usersCalled(user), username: user }
    const groups = group === undefined ? undefined : await groupLists(figures, group)
    const exceptGroups = query.no_group === undefined ? undefined : await allGroupLists(figures)
    return { model, channel, groups, exceptGroups, key, users }
  }

  return {
    async read(scope: AnalyticsScope, query: AnalyticsQuery): Promise<Analytics> {
      const plan = await planQuery(query, readPacked)
      const { range, step, parts } = plan
      const filter = await filterOf(scope, query)
      const { rows: cells, total } = await answerTo(plan, { filter, topMax: query.top, ranking: rankingOf(query) })
      const now = await totalsOf(plan.whole, filter, scope, total)
      const previous = await totalsOf(plan.before.whole, filter, scope)
      const channelNames = parts.includes('channel') ? await sums.channelNames() : undefined
      const metrics = (cell: Cell) =>
        query.outcome === undefined ? metricsOf(cell) : outcomeMetrics(cell, query.outcome)
      const rowsOf = ({ cell, parts: named }: NamedCell): AnalyticsRow[] => {
        const at = step === undefined ? {} : { time: cell.time }
        const keys = {
          ...at,
          ...Object.assign({}, ...named.map((part) => keysOf(cell, part, { scope, channelNames }))),
        }
        const other = cell.isOther
        if (!plan.byOutcome) return [{ ...keys, other, ...metrics(cell) }]
        return OUTCOMES.filter((outcome) => query.outcome === undefined || outcome === query.outcome)
          .map((outcome) => ({ ...keys, outcome, other, ...outcomeMetrics(cell, outcome) }))
          .filter(({ calls }) => calls > 0)
      }
      return {
        ...range,
        zone: query.zone,
        by: query.by,
        step: step?.name ?? null,
        times: plan.times,
        rows: cells.flatMap(rowsOf),
        totals: { ...metrics(now.cell), ...now.active },
        previous: { ...plan.before.range, ...metrics(previous.cell), ...previous.active },
        filling: await history.isFilling(),
      }
    },
  }
}

interface FiguresQuery {
  slices: TimeSlice[]
  step?: TimeSteps | undefined
  parts?: readonly Part[]
  filter: SumsFilter
  columns?: readonly FigureColumn[]
}

interface Listing extends Top {
  filter: SumsFilter
}

/** Latencies of users are rows, one per day: of thousands of users they would take seconds to read. */
const TIMED_USERS_MAX = 100

function partition(slices: readonly TimeSlice[], filter: SumsFilter) {
  const isRead = ({ isPacked }: TimeSlice) => isPacked && isPackable(filter)
  return { packed: slices.filter(isRead), unpacked: slices.filter((slice) => !isRead(slice)) }
}

/** Whether there may be so many values in so many steps that finding the top ones first reads less. */
const hasMany = (part: Part, { users }: SumsFilter, step: TimeSteps | undefined) =>
  (part === 'user' || part === 'key') && users === undefined && step !== undefined

function keysOf(
  { row }: Cell,
  part: Part,
  { scope, channelNames }: { scope: AnalyticsScope; channelNames: Map<number, string> | undefined },
): Partial<AnalyticsRow> {
  if (part === 'channel') return { channel: row.channel, channel_name: channelNames?.get(row.channel) ?? '' }
  if (part === 'key') return scope === 'everyone' ? { key: row.key, user: row.user } : { key: row.key }
  return { [part]: row[part] }
}

/** An embedded database blocks the process while it reads, so other work runs first. */
async function inTurn<R>(reading: Promise<R>) {
  const rows = await reading
  await yieldToEventLoop()
  return rows
}
