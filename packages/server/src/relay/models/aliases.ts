import type { ModelAliases } from '@tollgate/contract'

/** The model that a name stands for. A name in full always does; a pattern is for names that nobody offers. */
export const modelBehind = (
  asked: string,
  { exact, patterns }: ModelAliases,
  isOffered: (model: string) => boolean,
): string => {
  const model = exact.get(asked)
  if (model !== undefined) return model
  if (patterns.length === 0 || isOffered(asked)) return asked
  return patterns.find(({ pattern }) => pattern.test(asked))?.model ?? asked
}
