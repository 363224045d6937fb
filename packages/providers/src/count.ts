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
  let rest = total
  const taken = parts.map(([name, count = 0]) => {
    const part = Math.min(count, rest)
    rest -= part
    return [name, part] as const
  })
  // One member for each of the names.
  return { ...(Object.fromEntries(taken) as Record<Name, number>), rest }
}
