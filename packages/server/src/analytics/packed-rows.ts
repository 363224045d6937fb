import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'

/** A model at a channel; '' and 0 where rows are not by route. */
export type Route = readonly [model: string, channel: number]

/** The figures of an hour, by route and key where rows are. */
export interface PackedRow {
  /** Counted from the start of the packed days. */
  hour: number
  route: Route
  /** The number of the key; 0 where rows are not by key. */
  key: number
  sums: readonly number[]
}

type Numbers = Uint8Array | Uint16Array | Int32Array | Float64Array

interface Column {
  /** The rows that have a value; undefined if all do. */
  rows: Int32Array | undefined
  values: Numbers
}

/**
 * Columns are copied when they are asked for, into numbers of one type: loops over them are then compiled to far faster code. The
 * arrays may be longer than the rows, and are used again.
 */
export interface PackedRows {
  length: number
  /** A `Route[]` as JSON: most packs have the same. */
  routes: string
  hours(into: Int32Array): void
  /** Places in `routes`. */
  routeOf(into: Int32Array): void
  keys(into: Int32Array): void
  /** By the place in `FIGURE_COLUMNS`. Returns the rows that have a value, which is at the same place; undefined if all do. */
  figures(column: number, into: Float64Array): Int32Array | undefined
}

/**
 * Rows as bytes, column by column, in the form in which processors read numbers: a question about a quarter of a year adds up millions
 * of them, and decoding each would take longer than adding it. A column is as wide as its largest number; one with few numbers other
 * than 0 lists their rows.
 *
 * First come the number of rows, the number of bytes of the routes, and for each column where it begins, its width, and how many rows
 * it lists, or `ALL`; then the routes as JSON, and the columns. Each begins at a multiple of eight bytes.
 */
export const packRows = (rows: readonly PackedRow[]): Uint8Array => {
  const ofRows = rows.map(({ route }) => JSON.stringify(route))
  const routes = [...new Set(ofRows)].sort()
  const places = new Map(routes.map((route, place) => [route, place]))
  const names = new TextEncoder().encode(`[${routes.join()}]`)
  const columns = [
    rows.map(({ hour }) => hour),
    ofRows.map((route) => places.get(route) ?? 0),
    rows.map(({ key }) => key),
    ...FIGURE_COLUMNS.map((_, column) => rows.map(({ sums }) => sums[column] ?? 0)),
  ].map(shorter)
  const header = new Uint32Array(HEADER)
  const sections = [bytesOf(header), names]
  let at = sections.reduce((sum, { length }) => sum + aligned(length), 0)
  header.set([rows.length, names.length])
  for (const [nth, column] of columns.entries()) {
    header.set([at, column.values.BYTES_PER_ELEMENT, column.rows?.length ?? ALL], 2 + 3 * nth)
    for (const numbers of column.rows === undefined ? [column.values] : [column.rows, column.values]) {
      sections.push(bytesOf(numbers))
      at += aligned(numbers.byteLength)
    }
  }
  return joined(sections)
}

/** The same rows. */
export const unpackRows = (packed: Uint8Array): PackedRows => {
  // Numbers can be read in place only where they begin at a multiple of their width.
  const { buffer, byteOffset } = packed.byteOffset % ALIGNED === 0 ? packed : packed.slice()
  const header = new Uint32Array(buffer, byteOffset, HEADER)
  const length = header[0] ?? 0
  const names = new Uint8Array(buffer, byteOffset + aligned(header.byteLength), header[1])

  const columnOf = (nth: number): Column => {
    const at = byteOffset + (header[2 + 3 * nth] ?? 0)
    const width = header[3 + 3 * nth] ?? 1
    const listed = header[4 + 3 * nth] ?? ALL
    if (listed === ALL) return { rows: undefined, values: viewOf(buffer, { at, width, count: length }) }
    const rows = new Int32Array(buffer, at, listed)
    return { rows, values: viewOf(buffer, { at: at + aligned(rows.byteLength), width, count: listed }) }
  }
  const integers = (nth: number, into: Int32Array) => {
    const { rows, values } = columnOf(nth)
    if (rows === undefined) return into.set(values)
    into.fill(0, 0, length)
    for (const [place, row] of rows.entries()) into[row] = values[place] ?? 0
  }

  return {
    length,
    routes: new TextDecoder().decode(names),
    hours: (into) => integers(0, into),
    routeOf: (into) => integers(1, into),
    keys: (into) => integers(2, into),
    figures(column, into) {
      const { rows, values } = columnOf(KEY_COLUMNS + column)
      into.set(values)
      return rows
    },
  }
}

const ALL = 0xff_ff_ff_ff
const KEY_COLUMNS = 3
const HEADER = 2 + 3 * (KEY_COLUMNS + FIGURE_COLUMNS.length)
const ALIGNED = 8
const aligned = (length: number) => Math.ceil(length / ALIGNED) * ALIGNED

/** With the rows listed, if that is shorter. */
function shorter(values: readonly number[]): Column {
  const listed = values.flatMap((value, row) => (value === 0 ? [] : [row]))
  const all = narrow(values)
  const few = { rows: Int32Array.from(listed), values: narrow(listed.map((row) => values[row] ?? 0)) }
  return few.rows.byteLength + few.values.byteLength < all.byteLength ? few : { rows: undefined, values: all }
}

/** In as few bytes as the numbers need. Those below zero are hours in which only a correction was posted. */
function narrow(values: readonly number[]): Numbers {
  let [least, most] = [0, 0]
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  if (least === 0 && most < 2 ** 8) return Uint8Array.from(values)
  if (least === 0 && most < 2 ** 16) return Uint16Array.from(values)
  return least >= -(2 ** 31) && most < 2 ** 31 ? Int32Array.from(values) : Float64Array.from(values)
}

function viewOf(buffer: ArrayBufferLike, { at, width, count }: { at: number; width: number; count: number }): Numbers {
  if (width === 1) return new Uint8Array(buffer, at, count)
  if (width === 2) return new Uint16Array(buffer, at, count)
  return width === 4 ? new Int32Array(buffer, at, count) : new Float64Array(buffer, at, count)
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

function joined(sections: readonly Uint8Array[]) {
  const bytes = new Uint8Array(sections.reduce((sum, { length }) => sum + aligned(length), 0))
  let at = 0
  for (const section of sections) {
    bytes.set(section, at)
    at += aligned(section.length)
  }
  return bytes
}
