import { failureOf, VendorError } from '@tollgate/providers'

/** More levels than any schema or conversation has. */
const LEVELS_MAX = 256

/**
 * Whether a value has more levels than may be printed: whoever prints one of a hundred thousand runs out of stack, and
 * takes seconds to do so, in which no stream moves. It goes level by level, so it needs no stack itself.
 */
export const isTooDeep = (value: unknown): boolean => {
  let level = [value]
  for (let depth = 0; depth <= LEVELS_MAX; depth++) {
    level = level.flatMap(inside)
    if (level.length === 0) return false
  }
  return true
}

/** The same as a refusal, for those who are about to print it. */
export const refuseTooDeep = (value: unknown) => {
  if (isTooDeep(value)) throw new VendorError(failureOf('client', 'The request has too many levels'))
}

const inside = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isNested) : []

const isNested = (value: unknown) => typeof value === 'object' && value !== null
