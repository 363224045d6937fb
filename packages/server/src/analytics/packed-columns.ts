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
export interface PackedColumns {
  length: number
  names: string
  /** All values of a column. */
  copy(column: number, into: Int32Array | Float64Array): void
  /** Those other than 0. Returns their rows, in whose order they are; undefined if every row has one. */
  copyListed(column: number, into: Float64Array): Int32Array | undefined
  /** Those of the first of `rows`, in their order. A column that lists its own rows is copied as by `copyListed`. */
  copySome(column: number, rows: Int32Array, count: number, into: Float64Array): Int32Array | undefined
}

/**
 * Columns of numbers as bytes, in the form in which processors read them, and a text: a question about a quarter of a year adds up
 * millions of numbers, and decoding each would take longer than adding it. A column is as wide as its largest number; one with few
 * numbers other than 0 lists their rows.
 *
 * First come the number of rows, the number of bytes of the text, and for each column where it begins, its width, and how many rows
 * it lists, or `ALL`; then the text, and the columns. Each begins at a multiple of eight bytes.
 */
export const packColumns = (text: string, length: number, given: readonly (readonly number[])[]): Uint8Array => {
  const names = new TextEncoder().encode(text)
  const header = new Uint32Array(headerOf(given.length))
  const sections = [bytesOf(header), names]
  let at = sections.reduce((sum, section) => sum + aligned(section.length), 0)
  header.set([length, names.length])
  for (const [nth, column] of given.map(shorter).entries()) {
    header.set([at, column.values.BYTES_PER_ELEMENT, column.rows?.length ?? ALL], 2 + 3 * nth)
    for (const numbers of column.rows === undefined ? [column.values] : [column.rows, column.values]) {
      sections.push(bytesOf(numbers))
      at += aligned(numbers.byteLength)
    }
  }
  return joined(sections)
}

/** The same columns, of which there are this many. */
export const unpackColumns = (packed: Uint8Array, count: number): PackedColumns => {
  // Numbers can be read in place only where they begin at a multiple of their width.
  const { buffer, byteOffset } = packed.byteOffset % ALIGNED === 0 ? packed : packed.slice()
  const header = new Uint32Array(buffer, byteOffset, headerOf(count))
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

  return {
    length,
    names: new TextDecoder().decode(names),
    copy(column, into) {
      const { rows, values } = columnOf(column)
      if (rows === undefined) return into.set(values)
      into.fill(0, 0, length)
      for (const [place, row] of rows.entries()) into[row] = values[place] ?? 0
    },
    copyListed(column, into) {
      const { rows, values } = columnOf(column)
      into.set(values)
      return rows
    },
    copySome(column, some, count, into) {
      const { rows, values } = columnOf(column)
      if (rows !== undefined) into.set(values)
      else for (let nth = 0; nth < count; nth++) into[nth] = values[some[nth] ?? 0] ?? 0
      return rows
    },
  }
}

const ALL = 0xff_ff_ff_ff
const headerOf = (columns: number) => 2 + 3 * columns
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
