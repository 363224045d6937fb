import { type Analytics, type AnalyticsQuery, type AnalyticsRow, OUTCOMES } from '@tollgate/contract'
import type { Clock } from '../common/clock.ts'
import type { Db } from '../database/client.ts'
import { addTo, type Cell, emptyCell, foldOthers, ranked, subtract } from './cells.ts'
import { createClosedStretches } from './closed-stretches.ts'
import type { History } from './history.ts'
import { cellId, createLatencies, type LatencyPlan } from './latencies.ts'
import type { LatencyTally } from './latency-tally.ts'
import { metricsOf, outcomeMetrics } from './metrics.ts'
import { pairsOf, type Told } from './pairs.ts'
import { type Question, questionOf, type Range, type Stepped, wholeStretches } from './question.ts'
import type { Stretch } from './stretches.ts'
import { type Part, type SumsFilter, sumsRepository } from './sums-repository.ts'

export type AnalyticsService = ReturnType<typeof createAnalyticsService>

/** Whose usage: of everybody, or of one user alone. */
export type AnalyticsScope = 'everyone' | { userId: number }

interface Needs {
  db: Db
  clock: Clock
  tally: Pick<LatencyTally, 'flush'>
  history: Pick<History, 'isFilling'>
}

/** Answers questions about usage from the figures, never from the log. */
export const createAnalyticsService = ({ db, clock, tally, history }: Needs) => {
  const sums = sumsRepository(db)
  const remembered = createClosedStretches(clock)
  const latencies = createLatencies(db, remembered)

  /** What was asked for of some stretches, each cell a step and a part. */
  const read = async (asked: {
    stretches: Stretch[]
    step?: Stepped | undefined
    parts?: readonly Part[]
    filter: SumsFilter
  }) => {
    const { stretches, step, parts = [], filter } = asked
    const cells = new Map<string, Cell>()
    for (const stretch of stretches) {
      // By time alone the rows of an hour are one: they are added up here, which spares the database the sorting.
      const time = step === undefined ? undefined : step.name === 'hour' || parts.length === 0 ? 'hour' : 'day'
      const question = { stretch, time, parts, filter } as const
      const rows = await remembered(`sums ${JSON.stringify(question)}`, stretch.until, () =>
        inTurn(sums.read(question)),
      )
      for (const row of rows) addTo(cells, step?.[time === 'hour' ? 'ofHour' : 'ofDay'](row.time), parts, row)
    }
    return cells
  }

  const time = async (cells: Iterable<Cell>, plan: LatencyPlan) => {
    const found = await latencies(plan)
    for (const cell of cells) {
      const name = plan.part === 'user' ? String(cell.row.user_id) : cell.part
      if (!cell.isOther) cell.latency = found.get(cellId(cell.time, name))
    }
  }

  /** Of thousands of users or keys only the first are read step by step; what is left of all are the others. */
  const cellsOf = async ({ stretches, whole, step, parts }: Question, filter: SumsFilter, topMax: number) => {
    const [part] = parts
    const of = { parts, filter }
    const isLong = step !== undefined && (part === 'user' || part === 'key') && filter.users === undefined
    const first = await read(isLong ? { stretches: whole, ...of } : { stretches, step, ...of })
    const order = ranked(first.values())
    const top = new Set(order.slice(0, topMax))
    const users = [...new Set([...first.values()].flatMap((cell) => (top.has(cell.part) ? [cell.row.user_id] : [])))]
    const total = emptyCell()
    for (const cell of first.values()) total.add(cell)
    let cells = first
    if (isLong) {
      const ofTop = await read({
        stretches,
        step,
        parts,
        filter: { ...filter, users: { ids: users, username: undefined } },
      })
      cells = subtract(await read({ stretches, step, filter }), ofTop, top)
    }
    const names = step === undefined ? undefined : [...top]
    await time(cells.values(), { stretches, part, filter, users, names, timeOf: (hour) => step?.ofHour(hour) ?? 0 })
    const folded = foldOthers(cells.values(), top, order)
    return { told: folded.map((cell) => ({ cell, parts: cell.isOther ? [] : parts })), total }
  }

  const answerTo = (question: Question, filter: SumsFilter, topMax: number) => {
    const [first, second] = question.parts
    if (first === undefined || second === undefined) return cellsOf(question, filter, topMax)
    const readWhole = (parts: readonly Part[], of: SumsFilter) => read({ stretches: question.whole, parts, filter: of })
    return pairsOf(readWhole, [first, second], { filter, topMax })
  }

  const totalsOf = async (range: Range, filter: SumsFilter, scope: AnalyticsScope, known?: Cell) => {
    const stretches = wholeStretches(range)
    const cell = known ?? [...(await read({ stretches, filter })).values()][0] ?? emptyCell()
    await time([cell], { stretches, part: undefined, filter, timeOf: () => 0 })
    const keys = new Set<string>()
    for (const stretch of stretches) {
      const question = { stretch, filter }
      const texts = await remembered(`active ${JSON.stringify(question)}`, stretch.until, () =>
        inTurn(sums.active(question)),
      )
      for (const text of texts) for (const key of text.split('\n')) keys.add(key)
    }
    const users = new Set([...keys].map((key) => key.slice(0, key.indexOf(' '))))
    return { cell, active: { active_users: scope === 'everyone' ? users.size : null, active_keys: keys.size } }
  }

  const filterOf = async (scope: AnalyticsScope, query: AnalyticsQuery): Promise<SumsFilter> => {
    const { model, channel, group, key, user } = query
    if (scope !== 'everyone') return { model, key, users: { ids: [scope.userId], username: undefined } }
    const users = user === undefined ? undefined : { ids: await sums.usersCalled(user), username: user }
    return { model, channel, group, key, users }
  }

  return {
    async read(scope: AnalyticsScope, query: AnalyticsQuery): Promise<Analytics> {
      const question = questionOf(query)
      const { range, step, parts } = question
      await tally.flush()
      const filter = await filterOf(scope, query)
      const { told: cells, total } = await answerTo(question, filter, query.top)
      const now = await totalsOf(range, filter, scope, total)
      const before = { start: 2 * range.start - range.end, end: range.start }
      const previous = await totalsOf(before, filter, scope)
      const channelNames = parts.includes('channel') ? await sums.channelNames() : undefined
      const told = (cell: Cell) => (query.outcome === undefined ? metricsOf(cell) : outcomeMetrics(cell, query.outcome))
      const rowsOf = ({ cell, parts: named }: Told): AnalyticsRow[] => {
        const at = step === undefined ? {} : { time: cell.time }
        const keys = {
          ...at,
          ...Object.assign({}, ...named.map((part) => keysOf(cell, part, { scope, channelNames }))),
        }
        const other = cell.isOther
        if (!question.byOutcome) return [{ ...keys, other, ...told(cell) }]
        return OUTCOMES.filter((outcome) => query.outcome === undefined || outcome === query.outcome)
          .map((outcome) => ({ ...keys, outcome, other, ...outcomeMetrics(cell, outcome) }))
          .filter(({ calls }) => calls > 0)
      }
      return {
        ...range,
        zone: query.zone,
        by: query.by,
        step: step?.name ?? null,
        times: question.times,
        rows: cells.flatMap(rowsOf),
        totals: { ...told(now.cell), ...now.active },
        previous: { ...before, ...told(previous.cell), ...previous.active },
        filling: await history.isFilling(),
      }
    },
  }
}

function keysOf(
  { row }: Cell,
  part: Part,
  { scope, channelNames }: { scope: AnalyticsScope; channelNames: Map<number, string> | undefined },
): Partial<AnalyticsRow> {
  if (part === 'channel') return { channel: row.channel, channel_name: channelNames?.get(row.channel) ?? '' }
  if (part === 'key') return scope === 'everyone' ? { key: row.key, user: row.user } : { key: row.key }
  return { [part]: row[part] }
}

/** A database in this very process holds everything up while it reads: others come first now. */
async function inTurn<R>(reading: Promise<R>) {
  const rows = await reading
  await new Promise((resolve) => setImmediate(resolve))
  return rows
}
