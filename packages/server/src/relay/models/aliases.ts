import type { ModelAliases } from '@tollgate/contract'

/** Resolves an alias. A full name always matches; a pattern is only for names that no channel offers. */
export const modelBehind = (
  requested: string,
  { exact, patterns }: ModelAliases,
  isOffered: (model: string) => boolean,
): string => {
  const model = exact.get(requested)
  if (model !== undefined) return model
  if (patterns.length === 0 || isOffered(requested)) return requested
  return patterns.find(({ matches }) => matches(requested))?.model ?? requested
}
