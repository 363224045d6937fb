import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { PackedRows } from './packed-rows.ts'

/** Places for sums, made when the first row belongs to them. The first place is that of all rows that are not part of the question. */
export function createSums(ownersCount: number) {
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

    add(rows: PackedRows, { places, found, count, values, sign }: Places, columns: readonly number[]) {
      for (const column of columns) {
        const isFew = count * FEW < rows.length
        const listed = isFew ? rows.someFigures(column, found, count, values) : rows.figures(column, values)
        if (listed !== undefined) addPicked({ sums, column, places, values, sign, rows: listed }, listed.length)
        else if (isFew) addPicked({ sums, column, places, values, sign, rows: found }, count)
        else if (count * 2 < rows.length) addFound({ sums, column, places, values, sign, rows: found }, count)
        else addAll({ sums, column, places, values, sign }, rows.length)
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
  sign: 1 | -1
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
  sign: 1 | -1
}

function addAll({ sums, column, places, values, sign }: Addition, length: number) {
  for (let row = 0; row < length; row++) {
    const place = (places[row] ?? 0) + column
    sums[place] = (sums[place] ?? 0) + sign * (values[row] ?? 0)
  }
}

function addFound({ sums, column, places, values, sign, rows }: Addition & { rows: Int32Array }, count: number) {
  for (let nth = 0; nth < count; nth++) {
    const row = rows[nth] ?? 0
    const place = (places[row] ?? 0) + column
    sums[place] = (sums[place] ?? 0) + sign * (values[row] ?? 0)
  }
}

/** As `addFound`, but the values are only those of these rows, in their order. */
function addPicked({ sums, column, places, values, sign, rows }: Addition & { rows: Int32Array }, count: number) {
  for (let nth = 0; nth < count; nth++) {
    const place = (places[rows[nth] ?? 0] ?? 0) + column
    sums[place] = (sums[place] ?? 0) + sign * (values[nth] ?? 0)
  }
}

const WIDTH = FIGURE_COLUMNS.length

/** Of one row in so many, values are read one by one. */
const FEW = 4
