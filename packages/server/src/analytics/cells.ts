import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { emptyHistogram, type Histogram } from './histogram.ts'
import { cellId } from './latencies.ts'
import type { FigureColumn, Part, SumsRow } from './sums-repository.ts'

/** The figures of calls in one step and for one part of the query. */
export class Cell {
  constructor(
    readonly time: number,
    /** The name that distinguishes the parts; empty if there is only one. */
    readonly part: string,
    readonly row: Omit<SumsRow, 'time' | 'sums'>,
    readonly sums: number[],
    readonly isOther = false,
    /** The owners of the calls: a name may have belonged to several users over time. */
    public users: readonly number[] = [row.user_id],
  ) {}

  /** The latencies of its calls, if recorded. */
  latency: Histogram | undefined

  add({ sums, latency }: { sums: ArrayLike<number> } & Partial<Pick<Cell, 'latency'>>) {
    for (let column = 0; column < sums.length; column++)
      this.sums[column] = (this.sums[column] ?? 0) + (sums[column] ?? 0)
    if (latency === undefined) return
    // A new histogram, so that the other cell's is not changed.
    this.latency ??= emptyHistogram()
    for (let bucket = 0; bucket < latency.length; bucket++)
      this.latency[bucket] = (this.latency[bucket] ?? 0) + (latency[bucket] ?? 0)
  }

  copy() {
    return new Cell(this.time, this.part, this.row, [...this.sums], this.isOther, this.users)
  }

  /** The remainder when some of its calls are listed separately. */
  asOther() {
    return new Cell(this.time, this.part, this.row, [...this.sums], true)
  }

  /**
   * Subtracts a cell. A call that was written between the two reads must not make the result negative. The amounts of what remains may
   * be: an hour in which only a correction was posted.
   */
  take({ sums }: Pick<Cell, 'sums'>) {
    for (let column = 0; column < sums.length; column++)
      this.sums[column] = (this.sums[column] ?? 0) - (sums[column] ?? 0)
    if (this.of('request_count') >= 0 && this.of('failed_count') >= 0) return
    for (let column = 0; column < sums.length; column++) this.sums[column] = Math.max(0, this.sums[column] ?? 0)
  }

  of(column: FigureColumn) {
    return this.sums[PLACES[column]] ?? 0
  }
}

// The type of what `fromEntries` makes from them is not known.
const PLACES = Object.fromEntries(FIGURE_COLUMNS.map((column, place) => [column, place])) as Record<
  FigureColumn,
  number
>

const NO_SUMS = FIGURE_COLUMNS.map(() => 0)
export const NOTHING = { model: '', channel: 0, user_id: 0, user: '', group: '', key: '' }

export const emptyCell = (time = 0, isOther = false) => new Cell(time, '', NOTHING, [...NO_SUMS], isOther)

/** The name of a row in one part of the query. Names of users and of keys may have spaces. */
export const nameIn = (part: Part, row: Cell['row']) => (part === 'key' ? `${row.user}\t${row.key}` : String(row[part]))

export const addTo = (cells: Map<string, Cell>, time = 0, parts: readonly Part[], { sums, ...row }: SumsRow) => {
  cellFor(cells, time, parts, row).add({ sums })
}

/** The cell of a row, made if there is none. */
export const cellFor = (cells: Map<string, Cell>, time: number, parts: readonly Part[], row: Cell['row']) => {
  const name = parts.map((part) => nameIn(part, row)).join('\n')
  const id = cellId(time, name)
  const known = cells.get(id)
  if (known === undefined) {
    const cell = new Cell(time, name, row, [...NO_SUMS])
    cells.set(id, cell)
    return cell
  }
  if (!known.users.includes(row.user_id)) known.users = [...known.users, row.user_id]
  return known
}

/** What decides which rows are the top ones. */
export interface Ranking {
  /** The columns that its value, the cost and the number of calls are computed from. */
  columns: readonly FigureColumn[]
  value(cell: Cell): number
}

/** The names of the parts, highest first; equal ones by cost, then by number of calls. */
const ranked = (cells: Iterable<Cell>, value: Ranking['value']): string[] => {
  const totals = new Map<string, { value: number; quota: number; calls: number }>()
  for (const cell of cells) {
    const total = totals.get(cell.part) ?? { value: 0, quota: 0, calls: 0 }
    total.value += value(cell)
    total.quota += cell.of('quota')
    total.calls += cell.of('request_count') + cell.of('failed_count')
    totals.set(cell.part, total)
  }
  return [...totals]
    .sort(
      ([name, a], [other, b]) => b.value - a.value || b.quota - a.quota || b.calls - a.calls || (name < other ? -1 : 1),
    )
    .map(([name]) => name)
}

/** The cells of a part, and the names of the top ones. The others may be combined into one cell. */
export interface Listed {
  cells: Map<string, Cell>
  order: readonly string[]
  top: ReadonlySet<string>
}

export interface Top {
  topMax: number
  ranking: Ranking
}

export const listed = (cells: Map<string, Cell>, { topMax, ranking }: Top): Listed => {
  const order = ranked(cells.values(), ranking.value)
  return { cells, order, top: new Set(order.slice(0, topMax)) }
}

/** The users behind the top cells. */
export const usersOf = ({ cells, top }: Pick<Listed, 'cells' | 'top'>) => [
  ...new Set([...cells.values()].flatMap((cell) => (top.has(cell.part) ? cell.users : []))),
]

/** Ordered by time, then by rank. Cells that are not among the top are combined into one, the last of its step. */
export const foldOthers = (cells: Iterable<Cell>, top: ReadonlySet<string>, order: readonly string[]): Cell[] => {
  const kept: Cell[] = []
  const others = new Map<number, Cell>()
  for (const cell of cells) {
    if (top.has(cell.part) && !cell.isOther) {
      kept.push(cell)
      continue
    }
    const other = others.get(cell.time) ?? emptyCell(cell.time, true)
    others.set(cell.time, other)
    other.add(cell)
  }
  const place = new Map(order.map((name, index) => [name, index]))
  const placeOf = ({ isOther, part }: Cell) => (isOther ? order.length : (place.get(part) ?? order.length))
  return [...kept, ...others.values()].sort((a, b) => a.time - b.time || placeOf(a) - placeOf(b))
}

/** For each step the other groups, and the rest of the total as that of this group. */
export const withGroup = (group: string, all: Map<string, Cell>, others: Map<string, Cell>) => {
  const cells = new Map(others)
  const rests = new Map<number, Cell>()
  for (const { time, sums } of all.values()) rests.set(time, new Cell(time, group, { ...NOTHING, group }, sums))
  for (const cell of others.values()) rests.get(cell.time)?.take(cell)
  for (const cell of rests.values()) if (isSomething(cell)) cells.set(cellId(cell.time, group), cell)
  return cells
}

/** For each step the top cells, and the rest of the total. */
export const subtract = (all: Map<string, Cell>, ofTop: Map<string, Cell>, top: ReadonlySet<string>) => {
  const cells = new Map<string, Cell>()
  for (const [id, cell] of all) cells.set(`${id} others`, new Cell(cell.time, '', cell.row, cell.sums, true))
  for (const [id, cell] of ofTop) {
    if (!top.has(cell.part)) continue
    cells.set(id, cell)
    cells.get(`${cell.time}  others`)?.take(cell)
  }
  for (const [id, cell] of cells) if (cell.isOther && !isSomething(cell)) cells.delete(id)
  return cells
}

export const isSomething = ({ sums }: Pick<Cell, 'sums'>) => sums.some((sum) => sum !== 0)
