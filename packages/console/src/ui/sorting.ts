/** By which column a page of rows is ordered. */
export interface Sorting {
  key: string
  descending: boolean
}

interface Sortable<Row> {
  key: string
  compare?: (a: Row, b: Row) => number
}

/** As it stands in an address: `quota`, or `-quota` for the largest first. */
export const sortingText = ({ key, descending }: Sorting) => `${descending ? '-' : ''}${key}`

export const parseSorting = (text: string | undefined): Sorting | undefined => {
  if (text === undefined || text === '') return undefined
  const descending = text.startsWith('-')
  return { key: descending ? text.slice(1) : text, descending }
}

export function sorted<Row>(rows: Row[], columns: readonly Sortable<Row>[], sorting: Sorting | undefined) {
  const compare = columns.find(({ key }) => key === sorting?.key)?.compare
  if (compare === undefined) return rows
  return rows.toSorted((a, b) => (sorting?.descending ? compare(b, a) : compare(a, b)))
}
