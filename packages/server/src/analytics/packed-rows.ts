import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { packColumns, unpackColumns } from './packed-columns.ts'

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

/** The columns of packed rows; see `PackedColumns`. */
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
  /** Only of these rows, in their order, unless the column lists rows that have a value: then as `figures`. */
  someFigures(column: number, rows: Int32Array, count: number, into: Float64Array): Int32Array | undefined
}

export const packRows = (rows: readonly PackedRow[]): Uint8Array => {
  const { text, places } = namesOf(rows.map(({ route }) => route))
  return packColumns(text, rows.length, [
    rows.map(({ hour }) => hour),
    places,
    rows.map(({ key }) => key),
    ...FIGURE_COLUMNS.map((_, column) => rows.map(({ sums }) => sums[column] ?? 0)),
  ])
}

/** The same rows. */
export const unpackRows = (packed: Uint8Array): PackedRows => {
  const { length, names, copy, copyListed, copySome } = unpackColumns(packed, KEY_COLUMNS + FIGURE_COLUMNS.length)
  return {
    length,
    routes: names,
    hours: (into) => copy(0, into),
    routeOf: (into) => copy(1, into),
    keys: (into) => copy(2, into),
    figures: (column, into) => copyListed(KEY_COLUMNS + column, into),
    someFigures: (column, rows, count, into) => copySome(KEY_COLUMNS + column, rows, count, into),
  }
}

const KEY_COLUMNS = 3

/** The different routes as JSON, and the place of each given one among them. */
export function namesOf(given: readonly Route[]) {
  const all = given.map((route) => JSON.stringify(route))
  const different = [...new Set(all)].sort()
  const places = new Map(different.map((route, place) => [route, place]))
  return { text: `[${different.join()}]`, count: different.length, places: all.map((route) => places.get(route) ?? 0) }
}
