/** More levels than any schema or conversation has. */
const LEVELS_MAX = 256

/**
 * Whether a value is too deep to be serialised: with a hundred thousand levels that overflows the stack, and takes seconds in which
 * no stream moves. It works level by level and needs no stack itself.
 */
export const isTooDeep = (value: unknown): boolean => {
  let level = [value]
  for (let depth = 0; depth <= LEVELS_MAX; depth++) {
    level = level.flatMap(inside)
    if (level.length === 0) return false
  }
  return true
}

const inside = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isNested) : []

const isNested = (value: unknown) => typeof value === 'object' && value !== null
