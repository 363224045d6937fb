import { HOUR } from '../common/time-units.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { type Cell, cellFor, NOTHING } from './cells.ts'
import type { FigureKeysFound } from './figure-keys-repository.ts'
import { type PackedRows, type Route, unpackRows } from './packed-rows.ts'
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
  const routes = routesOf(parts, filter)
  const sums = createSums(owners.length)
  const wanted = columns.map((column) => FIGURE_COLUMNS.indexOf(column))
  const buffers = createBuffers()

  return {
    add({ start, bytes }: Pack, timeOf: TimeOfHour) {
      const rows = unpackRows(bytes)
      const placeOfRoute = routes.placesOf(rows.routes)
      if (placeOfRoute.every((place) => place === NONE)) return
      const byHour = Array.from({ length: HOURS }, (_, hour) => {
        const time = timeOf(start + hour * HOUR)
        return time === undefined ? undefined : sums.ofTime(time)
      })
      const { hours, routeOf, keyOf, places, found, values } = buffers(rows.length)
      rows.hours(hours)
      rows.routeOf(routeOf)
      if (keys !== undefined) rows.keys(keyOf)
      let count = 0
      for (let row = 0; row < rows.length; row++) {
        const owner = keys === undefined ? 0 : (ownerOf[keyOf[row] ?? 0] ?? NONE)
        const route = placeOfRoute[routeOf[row] ?? 0] ?? NONE
        const time = byHour[hours[row] ?? 0]
        places[row] = 0
        if (owner === NONE || route === NONE || time === undefined) continue
        places[row] = sums.placeOf(time, route, owner)
        found[count++] = row
      }
      if (count > 0) sums.add(rows, { places, found, count, values }, wanted)
    },

    addTo(cells: Map<string, Cell>) {
      for (const { time, route, owner, values } of sums.all())
        cellFor(cells, time, parts, { ...NOTHING, ...routes.all[route], ...owners[owner] }).add({ sums: values })
    },
  }
}

/** Which keys made calls, by their numbers. */
export const packedKeys = (filter: SumsFilter) => {
  const { placesOf } = routesOf([], filter)
  const buffers = createBuffers()
  const found: (true | undefined)[] = []
  return {
    found,
    add({ start, bytes }: Pack, timeOf: TimeOfHour) {
      const rows = unpackRows(bytes)
      const places = placesOf(rows.routes)
      if (places.every((place) => place === NONE)) return
      const isWithin = Array.from({ length: HOURS }, (_, hour) => timeOf(start + hour * HOUR) !== undefined)
      const { hours, routeOf, keyOf } = buffers(rows.length)
      rows.hours(hours)
      rows.routeOf(routeOf)
      rows.keys(keyOf)
      for (let row = 0; row < rows.length; row++)
        if (isWithin[hours[row] ?? 0] && places[routeOf[row] ?? 0] !== NONE) found[keyOf[row] ?? 0] = true
    },
  }
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
const WIDTH = FIGURE_COLUMNS.length
const NONE = -1

/** Places for sums, made when the first row belongs to them. The first place is that of all rows that are not part of the question. */
function createSums(ownersCount: number) {
  const made: { time: number; route: number; owner: number }[] = []
  const times = new Map<number, TimePlaces>()
  let sums = new Float64Array(64 * WIDTH)

  const make = (time: number, route: number, owner: number) => {
    const place = made.push({ time, route, owner }) * WIDTH
    if (place + WIDTH > sums.length) {
      const longer = new Float64Array(sums.length * 2)
      longer.set(sums)
      sums = longer
    }
    return place
  }

  return {
    ofTime(time: number): TimePlaces {
      const known = times.get(time) ?? { time, byRoute: [] }
      times.set(time, known)
      return known
    },

    placeOf({ time, byRoute }: TimePlaces, route: number, owner: number) {
      let places = byRoute[route]
      if (places === undefined) {
        places = new Int32Array(ownersCount)
        byRoute[route] = places
      }
      let place = places[owner] ?? 0
      if (place === 0) {
        place = make(time, route, owner)
        places[owner] = place
      }
      return place
    },

    add(rows: PackedRows, { places, found, count, values }: Places, columns: readonly number[]) {
      for (const column of columns) {
        const listed = rows.figures(column, values)
        if (listed !== undefined) addListed({ sums, column, places, values, rows: listed })
        else if (count * 2 < rows.length) addFound({ sums, column, places, values, rows: found }, count)
        else addAll({ sums, column, places, values }, rows.length)
      }
    },

    all: () => made.map((names, nth) => ({ ...names, values: sums.subarray((nth + 1) * WIDTH, (nth + 2) * WIDTH) })),
  }
}

/** Where each row is added to, and which rows are part of the question. */
interface Places {
  places: Int32Array
  found: Int32Array
  count: number
  /** For the figures of a column. */
  values: Float64Array
}

interface TimePlaces {
  time: number
  byRoute: (Int32Array | undefined)[]
}

interface Addition {
  sums: Float64Array
  column: number
  places: Int32Array
  values: Float64Array
}

function addAll({ sums, column, places, values }: Addition, length: number) {
  for (let row = 0; row < length; row++) {
    const place = (places[row] ?? 0) + column
    sums[place] = (sums[place] ?? 0) + (values[row] ?? 0)
  }
}

function addFound({ sums, column, places, values, rows }: Addition & { rows: Int32Array }, count: number) {
  for (let nth = 0; nth < count; nth++) {
    const row = rows[nth] ?? 0
    const place = (places[row] ?? 0) + column
    sums[place] = (sums[place] ?? 0) + (values[row] ?? 0)
  }
}

/** As the others, but the values are only those of these rows. */
function addListed({ sums, column, places, values, rows }: Addition & { rows: Int32Array }) {
  for (let nth = 0; nth < rows.length; nth++) {
    const place = (places[rows[nth] ?? 0] ?? 0) + column
    sums[place] = (sums[place] ?? 0) + (values[nth] ?? 0)
  }
}

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
  const known = new Map<string, number[]>()
  return {
    all,
    placesOf(packed: string) {
      const found = known.get(packed) ?? (JSON.parse(packed) as Route[]).map(placeOf)
      known.set(packed, found)
      return found
    },
  }
}

/** What distinguishes the owners of cells, and which of them each key belongs to. */
function ownersOf(parts: readonly Part[], keys: FigureKeysFound | undefined) {
  const owners: Partial<Cell['row']>[] = []
  const places = new Map<string, number>()
  const [byKey, byUser, byGroup] = [parts.includes('key'), parts.includes('user'), parts.includes('group')]
  const ownerOf = new Int32Array((keys?.list.at(-1)?.id ?? 0) + 1).fill(NONE)
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
