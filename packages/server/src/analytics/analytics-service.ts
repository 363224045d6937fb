import {
  type Analytics,
  type AnalyticsQuery,
  type AnalyticsRow,
  type Dimension,
  OUTCOMES,
  RANGE_MAX_DAYS,
  STEPS_MAX,
  type Step,
} from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import type { Db } from '../database/client.ts'
import { addTo, type Cell, emptyCell, foldOthers, ranked, subtract } from './cells.ts'
import { metricsOf, outcomeMetrics } from './metrics.ts'
import { type Stretch, stepsOf, stretchesOf } from './stretches.ts'
import { type Part, type SumsFilter, sumsRepository } from './sums-repository.ts'
import { DAY, firstDayOf, HOUR, type ZoneDays, zoneDays } from './zone-time.ts'

export type AnalyticsService = ReturnType<typeof createAnalyticsService>

/** Whose usage: of everybody, or of one user alone. */
export type AnalyticsScope = 'everyone' | { userId: number }

interface Range {
  start: number
  end: number
}

interface Needs {
  db: Db
}

/** Answers questions about usage from the figures, never from the log. */
export const createAnalyticsService = ({ db }: Needs) => {
  const sums = sumsRepository(db)

  /** Everything between two times, each cell a step and a part; others get their turn between two stretches. */
  const cellsOf = async (question: {
    stretches: Stretch[]
    step?: Stepped
    part?: Part | undefined
    filter: SumsFilter
  }) => {
    const { stretches, step, part, filter } = question
    const cells = new Map<string, Cell>()
    for (const stretch of stretches) {
      const time = step === undefined ? undefined : step.name === 'hour' ? 'hour' : 'day'
      for (const row of await sums.read({ stretch, time, part, filter })) {
        addTo(cells, step?.timeOf(row.time), part, row)
      }
      await turn()
    }
    return cells
  }

  const filterOf = async (scope: AnalyticsScope, query: AnalyticsQuery): Promise<SumsFilter> => {
    const { model, channel, group, key, user } = query
    if (scope !== 'everyone') return { model, key, users: { ids: [scope.userId], username: undefined } }
    const users = user === undefined ? undefined : { ids: await sums.usersCalled(user), username: user }
    return { model, channel, group, key, users }
  }

  const totalsOf = async (range: Range, filter: SumsFilter, scope: AnalyticsScope, total?: Cell) => {
    const stretches = stretchesOf(range, zoneDays('UTC', range.start, range.end), undefined)
    const cell = total ?? [...(await cellsOf({ stretches, filter })).values()][0] ?? emptyCell()
    const users = new Set<number>()
    const keys = new Set<string>()
    for (const stretch of stretches) {
      for (const { user_id, token_name } of await sums.active({ stretch, filter })) {
        users.add(user_id)
        keys.add(`${user_id} ${token_name}`)
      }
      await turn()
    }
    return { cell, active_users: scope === 'everyone' ? users.size : null, active_keys: keys.size }
  }

  return {
    async read(scope: AnalyticsScope, query: AnalyticsQuery): Promise<Analytics> {
      const range = rangeOf(query)
      const isTimed = query.by.includes('time')
      const step = isTimed ? (query.step ?? usualStep(range)) : undefined
      if (step === 'hour' && (range.end - range.start) / HOUR > STEPS_MAX)
        throw new GatewayError('analytics.too_many_steps')
      const days = zoneDays(query.zone, range.start, range.end)
      const stepped = step === undefined ? undefined : steppedBy(step, days)
      const named = query.by.find((dimension): dimension is Exclude<Dimension, 'time'> => dimension !== 'time')
      const part = named === 'outcome' ? undefined : named
      const filter = await filterOf(scope, query)
      const stretches = stretchesOf(range, days, step)
      const whole = step === undefined ? stretches : stretchesOf(range, days, undefined)

      /** Of thousands of users or keys only the first are read step by step; what is left of the whole are the others. */
      const isLong = stepped !== undefined && (part === 'user' || part === 'key') && filter.users === undefined
      const first = await cellsOf({
        stretches: isLong ? whole : stretches,
        part,
        filter,
        ...(isLong ? {} : stepped && { step: stepped }),
      })
      const order = ranked(first.values())
      const top = new Set(order.slice(0, query.top))
      let cells = first
      if (isLong) {
        const ids = [
          ...new Set([...first.values()].filter(({ part: name }) => top.has(name)).map(({ row }) => row.user_id)),
        ]
        const ofTop = await cellsOf({
          stretches,
          step: stepped,
          part,
          filter: { ...filter, users: { ids, username: undefined } },
        })
        const all = await cellsOf({ stretches, step: stepped, filter })
        cells = subtract(all, ofTop, top)
      }
      const folded = foldOthers(cells.values(), top, order)
      const channelNames = part === 'channel' ? await sums.channelNames() : new Map<number, string>()

      const total = emptyCell()
      for (const cell of first.values()) total.add(cell)
      const now = await totalsOf(range, filter, scope, total)
      const before = { start: 2 * range.start - range.end, end: range.start }
      const previous = await totalsOf(before, filter, scope)
      const told = (cell: Cell) => (query.outcome === undefined ? metricsOf(cell) : outcomeMetrics(cell, query.outcome))
      return {
        ...range,
        zone: query.zone,
        by: query.by,
        step: step ?? null,
        times: step === undefined ? [] : stepsOf(range, days, step),
        rows: folded.flatMap((cell): AnalyticsRow[] => {
          const time = isTimed ? { time: cell.time } : {}
          if (named === 'outcome') {
            const outcomes = query.outcome === undefined ? OUTCOMES : [query.outcome]
            return outcomes
              .map((outcome) => ({ ...time, outcome, other: false, ...outcomeMetrics(cell, outcome) }))
              .filter(({ calls }) => calls > 0)
          }
          return [{ ...time, ...keysOf(cell, named, scope, channelNames), other: cell.isOther, ...told(cell) }]
        }),
        totals: { ...told(now.cell), active_users: now.active_users, active_keys: now.active_keys },
        previous: {
          ...before,
          ...told(previous.cell),
          active_users: previous.active_users,
          active_keys: previous.active_keys,
        },
        filling: false,
      }
    },
  }
}

interface Stepped {
  name: Step
  /** When the step begins to which an hour, or a day by its number, belongs. */
  timeOf(unit: number): number
}

function steppedBy(name: Step, days: ZoneDays): Stepped {
  if (name === 'hour') return { name, timeOf: (hour) => hour }
  const known = new Map<number, number>()
  return {
    name,
    timeOf(day) {
      const time = known.get(day) ?? days.beginOf(firstDayOf(name, day))
      known.set(day, time)
      return time
    },
  }
}

/** Usage is known by the hour: a range has all hours of which it has a part. */
function rangeOf({ start, end }: Range): Range {
  if (end <= start) throw new GatewayError('analytics.range')
  if (end - start > RANGE_MAX_DAYS * DAY) throw new GatewayError('analytics.range_max', { days: RANGE_MAX_DAYS })
  return { start: Math.floor(start / HOUR) * HOUR, end: Math.ceil(end / HOUR) * HOUR }
}

function usualStep({ start, end }: Range): Step {
  const days = (end - start) / DAY
  return days <= 2 ? 'hour' : days <= 100 ? 'day' : 'week'
}

function keysOf(
  { row, isOther }: Cell,
  named: Part | undefined,
  scope: AnalyticsScope,
  channelNames: Map<number, string>,
): Partial<AnalyticsRow> {
  if (isOther || named === undefined) return {}
  if (named === 'channel') return { channel: row.channel, channel_name: channelNames.get(row.channel) ?? '' }
  if (named === 'key') return scope === 'everyone' ? { key: row.key, user: row.user } : { key: row.key }
  return { [named]: row[named] }
}

/** A database in this very process holds everything up while it reads. */
function turn() {
  return new Promise((resolve) => setImmediate(resolve))
}
