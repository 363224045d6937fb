import { type GroupRateLimits, rateLimitTable } from '@tollgate/contract'

export interface LimitRow {
  name: string
  limits: GroupRateLimits
}

/** The rows of the groups' limits; undefined when the text is no such table. */
export function limitRows(text: string): LimitRow[] | undefined {
  const { data } = rateLimitTable.safeParse(text)
  return data && [...data].map(([name, limits]) => ({ name, limits }))
}

/** As a person would write it. */
export const limitText = (rows: readonly LimitRow[]) =>
  JSON.stringify(Object.fromEntries(rows.map(({ name, limits }) => [name, limits])), null, 2)

/** Whether two texts say the same, however they are laid out. */
export function sameLimits(one: string, other: string) {
  const [left, right] = [limitRows(one), limitRows(other)]
  if (left === undefined || right === undefined) return one === other
  return limitText(left) === limitText(right)
}
