import { type GroupRateLimits, rateLimitTable } from '@tollgate/contract'

export interface LimitRow {
  name: string
  limits: GroupRateLimits
}

/** The rows of the group limits; undefined for invalid text. */
export function limitRows(text: string): LimitRow[] | undefined {
  const { data } = rateLimitTable.safeParse(text)
  return data && [...data].map(([name, limits]) => ({ name, limits }))
}

/** Formatted for people. */
export const limitText = (rows: readonly LimitRow[]) =>
  JSON.stringify(Object.fromEntries(rows.map(({ name, limits }) => [name, limits])), null, 2)

/** Whether two texts are equivalent, however they are formatted. */
export function sameLimits(one: string, other: string) {
  const [left, right] = [limitRows(one), limitRows(other)]
  if (left === undefined || right === undefined) return one === other
  return limitText(left) === limitText(right)
}
