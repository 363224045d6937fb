import { type Cell, emptyCell, nameIn, ranked } from './cells.ts'
import type { Part, SumsFilter } from './sums-repository.ts'

/** What calls came to, and by which parts it has a name: others have none, or only that of the first of two. */
export interface Told {
  cell: Cell
  parts: readonly Part[]
}

type Read = (parts: readonly Part[], filter: SumsFilter) => Promise<Map<string, Cell>>

interface Wanted {
  filter: SumsFilter
  topMax: number
}

/**
 * Two parts together: the first of the one by the first of the other. What is left of each is what it came to alone without
 * those, so that nothing but the few that are shown is read by both, and rows still add up to the totals.
 */
export const pairsOf = async (read: Read, [one, other]: readonly [Part, Part], { filter, topMax }: Wanted) => {
  const [ones, others] = [await read([one], filter), await read([other], filter)]
  const [order, otherOrder] = [ranked(ones.values()), ranked(others.values())]
  const [top, otherTop] = [new Set(order.slice(0, topMax)), new Set(otherOrder.slice(0, topMax))]
  const users = knownUsers([one, other], { [one]: [ones, top], [other]: [others, otherTop] })
  const narrowed = users === undefined || filter.users !== undefined ? filter : { ...filter, users }
  const pairs = await read([one, other], narrowed)
  // Read again, after them: a call that came in between must not make what is left less than nothing.
  const all = await read([one], filter)

  const total = emptyCell()
  const rest = emptyCell(0, true)
  const left = new Map<string, Cell>()
  for (const cell of all.values()) {
    total.add(cell)
    if (top.has(cell.part)) left.set(cell.part, cell.asOther())
    else rest.add(cell)
  }
  const shown = [...pairs.values()].filter(({ row }) => left.has(nameIn(one, row)) && otherTop.has(nameIn(other, row)))
  for (const cell of shown) left.get(nameIn(one, cell.row))?.add(cell, -1)

  const place = placesOf(order)
  const otherPlace = placesOf(otherOrder)
  const told: Told[] = [
    ...shown.map((cell) => ({ cell, parts: [one, other] })),
    ...[...left.values()].filter(isSomething).map((cell) => ({ cell, parts: [one] })),
  ].sort(
    (a, b) =>
      place(nameIn(one, a.cell.row)) - place(nameIn(one, b.cell.row)) ||
      Number(a.cell.isOther) - Number(b.cell.isOther) ||
      otherPlace(nameIn(other, a.cell.row)) - otherPlace(nameIn(other, b.cell.row)),
  )
  return { told: isSomething(rest) ? [...told, { cell: rest, parts: [] }] : told, total }
}

const isSomething = ({ sums }: Cell) => sums.some((sum) => sum !== 0)

function placesOf(order: readonly string[]) {
  const places = new Map(order.map((name, place) => [name, place]))
  return (name: string) => places.get(name) ?? order.length
}

/** By model and channel usage of a user is kept in rows of the user: those of the few that are shown are read, not all. */
function knownUsers(
  pair: readonly [Part, Part],
  found: { [part in Part]?: [Map<string, Cell>, ReadonlySet<string>] },
): SumsFilter['users'] {
  const byRoute = pair.some((part) => part === 'model' || part === 'channel')
  const [cells, top] = found.user ?? found.key ?? []
  if (!byRoute || cells === undefined) return undefined
  const ids = [...cells.values()].filter((cell) => top?.has(cell.part)).map(({ row }) => row.user_id)
  return { ids: [...new Set(ids)], username: undefined }
}
