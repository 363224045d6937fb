/** A number of tokens as a vendor states it. Anything but a whole number from 0 up is no statement at all. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/**
 * Takes a total apart. Vendors state "so many, of which cached", and the parts may overlap or exceed the whole: each
 * takes from what the ones before it have left, so that parts and rest always add up to the total.
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
