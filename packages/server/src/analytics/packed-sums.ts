import { HOUR } from '../common/time-units.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { type Cell, cellFor, NOTHING } from './cells.ts'
import type { FigureKeysFound } from './figure-keys-repository.ts'
import { type Route, unpackRows } from './packed-rows.ts'
import { createSums } from './place-sums.ts'
import type { FigureColumn, Part, SumsFilter } from './sums-repository.ts'
import { FOUR_DAYS } from './zone-time.ts'

export interface Pack {
  start: number
  bytes: Uint8Array
}

/** The start of the step that contains an hour; undefined if it is not part of the question. */
export type TimeOfHour = (hour: number) => number | undefined

interface Wanted {
  parts: readonly Part[]
  filter: SumsFilter
  columns: readonly FigureColumn[]
  /** Those whose calls are summed; undefined for everybody's. */
  keys: FigureKeysFound | undefined
}

/** Sums of packed rows, as one cell per step and part. */
export const packedSums = ({ parts, filter, columns, keys }: Wanted) => {
  const { owners, ownerOf } = ownersOf(parts, keys)
  const someOwned = keys === undefined ? undefined : someOf(ownerOf)
  const routes = routesOf(parts, filter)
  const sums = createSums(owners.length)
  const wanted = columns.map((column) => FIGURE_COLUMNS.indexOf(column))
  const buffers = createBuffers()

  return {
    /** With -1, what they add is taken away. */
    add({ start, bytes }: Pack, timeOf: TimeOfHour, sign: 1 | -1 = 1) {
      const rows = unpackRows(bytes)
      const { placeOfRoute, someRoutes, isNone } = routes.placesOf(rows.routes)
      if (isNone) return
      const times = Array.from({ length: HOURS }, (_, hour) => timeOf(start + hour * HOUR))
      const byHour = times.map((time) => (time === undefined ? undefined : sums.ofTime(time)))
      const { hours, routeOf, keyOf, places, found, values } = buffers(rows.length)
      rows.hours(hours)
      rows.routeOf(routeOf)
      if (keys !== undefined) rows.keys(keyOf)
      // Few rows belong to a model or to some users. Those that do not are told apart by the smallest loop that can.
      let count = rows.length
      let isAll = true
      const narrow = (column: Int32Array, isWanted: Uint8Array | undefined) => {
        if (isWanted === undefined) return
        count = isAll ? findRows(column, isWanted, found, count) : keepRows(column, isWanted, found, count)
        isAll = false
      }
      narrow(keyOf, someOwned)
      narrow(routeOf, someRoutes)
      if (times.includes(undefined))
        narrow(
          hours,
          Uint8Array.from(times, (time) => Number(time !== undefined)),
        )
      places.fill(0, 0, rows.length)
      for (let nth = 0; nth < count; nth++) {
        const row = isAll ? nth : (found[nth] ?? 0)
        const time = byHour[hours[row] ?? 0]
        const owner = keys === undefined ? 0 : (ownerOf[keyOf[row] ?? 0] ?? NONE)
        const route = placeOfRoute[routeOf[row] ?? 0] ?? NONE
        if (owner === NONE || route === NONE || time === undefined) continue
        places[row] = sums.placeOf(time, route, owner)
      }
      if (count > 0) sums.add(rows, { places, found, count, values, sign }, wanted)
    },

    addTo(cells: Map<string, Cell>) {
      // The difference of two sums may be nothing.
      for (const { time, route, owner, values } of sums.all())
        if (values.some((value) => value !== 0))
          cellFor(cells, time, parts, { ...NOTHING, ...routes.all[route], ...owners[owner] }).add({ sums: values })
    },
  }
}

/** The rows whose value in a column is wanted. Returns their number. */
function findRows(column: Int32Array, isWanted: Uint8Array, found: Int32Array, length: number) {
  let count = 0
  for (let row = 0; row < length; row++) if (isWanted[column[row] ?? 0] === 1) found[count++] = row
  return count
}

/** The same of those found before. */
function keepRows(column: Int32Array, isWanted: Uint8Array, found: Int32Array, length: number) {
  let count = 0
  for (let nth = 0; nth < length; nth++) {
    const row = found[nth] ?? 0
    if (isWanted[column[row] ?? 0] === 1) found[count++] = row
  }
  return count
}

/** Which keys made calls, by their numbers. */
export const packedKeys = (filter: SumsFilter, last: number) => {
  const { placesOf } = routesOf([], filter)
  const buffers = createBuffers()
  const found = new Uint8Array(last + 1)
  return {
    found,
    add({ start, bytes }: Pack, timeOf: TimeOfHour) {
      const rows = unpackRows(bytes)
      const { placeOfRoute, isAll, isNone } = placesOf(rows.routes)
      if (isNone) return
      const isWithin = Array.from({ length: HOURS }, (_, hour) => timeOf(start + hour * HOUR) !== undefined)
      const { hours, routeOf, keyOf } = buffers(rows.length)
      rows.keys(keyOf)
      if (isAll && !isWithin.includes(false)) return markAll(keyOf, found, rows.length)
      rows.hours(hours)
      rows.routeOf(routeOf)
      for (let row = 0; row < rows.length; row++)
        if (isWithin[hours[row] ?? 0] && placeOfRoute[routeOf[row] ?? 0] !== NONE) found[keyOf[row] ?? 0] = 1
    },
  }
}

/** A key may be newer than those that were read: it has no place. */
function markAll(keyOf: Int32Array, found: Uint8Array, length: number) {
  for (let row = 0; row < length; row++) found[keyOf[row] ?? 0] = 1
}

/** The columns of a pack, in memory that the next pack uses again. */
function createBuffers() {
  const made = (length: number) => ({
    hours: new Int32Array(length),
    routeOf: new Int32Array(length),
    keyOf: new Int32Array(length),
    places: new Int32Array(length),
    found: new Int32Array(length),
    values: new Float64Array(length),
  })
  let buffers = made(0)
  return (length: number) => {
    if (length > buffers.hours.length) buffers = made(length * 2)
    return buffers
  }
}

const HOURS = FOUR_DAYS / HOUR
const NONE = -1

/** What distinguishes the routes of cells; those that the question is not about have no place. */
function routesOf(parts: readonly Part[], filter: SumsFilter) {
  const all: Partial<Cell['row']>[] = []
  const places = new Map<string, number>()
  const [byModel, byChannel] = [parts.includes('model'), parts.includes('channel')]
  const placeOf = ([model, channel]: Route) => {
    if ((filter.model ?? model) !== model || (filter.channel ?? channel) !== channel) return NONE
    const name = `${byChannel ? channel : ''} ${byModel ? model : ''}`
    const place = places.get(name) ?? all.push({ ...(byModel ? { model } : {}), ...(byChannel ? { channel } : {}) }) - 1
    places.set(name, place)
    return place
  }
  const known = new Map<string, RoutesOfPack>()
  return {
    all,
    placesOf(packed: string): RoutesOfPack {
      const found = known.get(packed) ?? routesOfPack((JSON.parse(packed) as Route[]).map(placeOf))
      known.set(packed, found)
      return found
    },
  }
}

/** Most packs have the same. */
interface RoutesOfPack {
  placeOfRoute: Int32Array
  someRoutes: Uint8Array | undefined
  isAll: boolean
  isNone: boolean
}

const routesOfPack = (places: readonly number[]): RoutesOfPack => {
  const placeOfRoute = Int32Array.from(places)
  return {
    placeOfRoute,
    someRoutes: someOf(placeOfRoute),
    isAll: !places.includes(NONE),
    isNone: places.every((place) => place === NONE),
  }
}

/** Which of them have a place; undefined if so many do that looking for them first would take longer. */
function someOf(places: Int32Array) {
  const isPlace = Uint8Array.from(places, (place) => Number(place !== NONE))
  const count = isPlace.reduce((sum, is) => sum + is, 0)
  return count * 2 < places.length ? isPlace : undefined
}

/** What distinguishes the owners of cells, and which of them each key belongs to. */
function ownersOf(parts: readonly Part[], keys: FigureKeysFound | undefined) {
  const owners: Partial<Cell['row']>[] = []
  const places = new Map<string, number>()
  const [byKey, byUser, byGroup] = [parts.includes('key'), parts.includes('user'), parts.includes('group')]
  const ownerOf = new Int32Array((keys?.last ?? 0) + 1).fill(NONE)
  // No key has this number.
  ownerOf[0] = 0
  for (const { id, user_id, username, token_name } of keys?.list ?? []) {
    const group = byGroup ? (keys?.groupOf(user_id) ?? '') : ''
    const name = `${byKey || byUser ? `${user_id} ${username}` : ''}\n${byKey ? token_name : ''}\n${group}`
    let place = places.get(name)
    if (place === undefined) {
      const user = byKey || byUser ? { user_id, user: username } : {}
      place = owners.push({ ...user, ...(byKey ? { key: token_name } : {}), ...(byGroup ? { group } : {}) }) - 1
      places.set(name, place)
    }
    ownerOf[id] = place
  }
  return { owners: keys === undefined ? [{}] : owners, ownerOf }
}
