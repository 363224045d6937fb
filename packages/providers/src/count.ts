/** A token count from a vendor. Anything but a non-negative integer counts as absent. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/**
 * Splits a total. Vendors report "so many, of which cached", and the parts may overlap or exceed the whole: each takes from
 * what the previous ones left, so that parts and rest always add up to the total.
 */
export function split<Name extends string>(
  total: number,
  parts: readonly (readonly [Name, number | undefined])[],
): { rest: number } & Record<Name, number> {
  const taken: Record<string, number> = {}
  let rest = total
  for (const [name, count = 0] of parts) {
    const part = Math.min(count, rest)
    rest -= part
    taken[name] = part
  }
  taken.rest = rest
  // One member for each of the names, and the rest.
  return taken as { rest: number } & Record<Name, number>
}
