import { Cell, emptyCell, isSomething, type Listed, listed, nameIn, type Top, usersOf } from './cells.ts'
import type { Part, SumsFilter } from './sums-repository.ts'

/** The figures of calls, and the parts by which they have a name: combined rows have none, or only that of the first of two. */
export interface NamedCell {
  cell: Cell
  parts: readonly Part[]
}

interface Sources {
  read(parts: readonly Part[], filter: SumsFilter): Promise<Map<string, Cell>>
  list(part: Part): Promise<Listed>
}

interface Wanted extends Top {
  filter: SumsFilter
}

/**
 * Two dimensions together: the top of one by the top of the other. If the combined figures are many, only those of the displayed rows
 * are read; the remainder of each is its own total minus theirs, so that rows still add up.
 */
export const pairsOf = async (
  { read, list }: Sources,
  [one, other]: readonly [Part, Part],
  { filter, ...top }: Wanted,
) => {
  const isWide = [one, other].some(isOfUser) && [one, other].some(isOfRoute) && filter.users === undefined
  const both = isWide ? undefined : await read([one, other], filter)
  const ones = both === undefined ? await list(one) : listed(folded(both, one), top)
  const others = both === undefined ? await list(other) : listed(folded(both, other), top)
  const users = { ids: usersOf(isOfUser(one) ? ones : others), username: undefined }
  const pairs = both ?? (await read([one, other], { ...filter, users }))

  const total = emptyCell()
  const rest = emptyCell(0, true)
  const left = new Map<string, Cell>()
  for (const cell of ones.cells.values()) {
    total.add(cell)
    if (ones.top.has(cell.part) && !cell.isOther) left.set(cell.part, cell.asOther())
    else rest.add(cell)
  }
  const shown = [...pairs.values()].filter(
    ({ row }) => left.has(nameIn(one, row)) && others.top.has(nameIn(other, row)),
  )
  for (const cell of shown) left.get(nameIn(one, cell.row))?.take(cell)

  const place = placesOf(ones.order)
  const otherPlace = placesOf(others.order)
  const rows: NamedCell[] = [
    ...shown.map((cell) => ({ cell, parts: [one, other] })),
    ...[...left.values()].filter(isSomething).map((cell) => ({ cell, parts: [one] })),
  ].sort(
    (a, b) =>
      place(nameIn(one, a.cell.row)) - place(nameIn(one, b.cell.row)) ||
      Number(a.cell.isOther) - Number(b.cell.isOther) ||
      otherPlace(nameIn(other, a.cell.row)) - otherPlace(nameIn(other, b.cell.row)),
  )
  return { rows: isSomething(rest) ? [...rows, { cell: rest, parts: [] }] : rows, total }
}

function placesOf(order: readonly string[]) {
  const places = new Map(order.map((name, place) => [name, place]))
  return (name: string) => places.get(name) ?? order.length
}

const isOfRoute = (part: Part) => part === 'model' || part === 'channel'
const isOfUser = (part: Part) => part === 'user' || part === 'key'

/** The sums of the pairs by one of the two. */
function folded(pairs: Map<string, Cell>, part: Part) {
  const cells = new Map<string, Cell>()
  for (const { row, sums } of pairs.values()) {
    const name = nameIn(part, row)
    const known = cells.get(name)
    if (known === undefined) cells.set(name, new Cell(0, name, row, [...sums]))
    else known.add({ sums })
  }
  return cells
}
