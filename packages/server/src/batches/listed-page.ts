/** A page of a list, after or before the entry with the given id. Ids increase over time. */
export interface PageRequest {
  limit: number
  order: 'asc' | 'desc'
  after?: string | undefined
  before?: string | undefined
}

export interface Page<Row> {
  rows: Row[]
  hasMore: boolean
}

/** The parameters of the query. One row beyond the page shows whether there are more; `before` reads backwards. */
export const readingOf = ({ limit, order, after, before }: PageRequest) => {
  const descends = (order === 'desc') === (before === undefined)
  return {
    anchor: after ?? before,
    compare: descends ? ('<' as const) : ('>' as const),
    direction: descends ? ('desc' as const) : ('asc' as const),
    most: limit + 1,
  }
}

export const pageOf = <Row>(rows: Row[], { limit, before }: PageRequest): Page<Row> => {
  const shown = rows.slice(0, limit)
  return { rows: before === undefined ? shown : shown.toReversed(), hasMore: rows.length > limit }
}
