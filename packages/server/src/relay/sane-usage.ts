import { inputTokens, outputTokens, type Usage } from '@tollgate/providers'

const TOKENS_MAX = 100_000_000

/** No model writes more than this in one answer, whatever it was asked. */
const OUTPUT_MAX = 2_000_000

/**
 * Whether a vendor's report can be true. A wrong one must not empty anybody's balance: a report that is absurd in
 * itself, or claims far more input than was sent, is replaced by our own count.
 */
export const isSane = (usage: Usage, estimatedInput: number) => {
  const counts = Object.values(usage)
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0 && count <= TOKENS_MAX)) return false
  if (outputTokens(usage) > OUTPUT_MAX) return false
  return inputTokens(usage) <= 20 * (estimatedInput + 10_000)
}
