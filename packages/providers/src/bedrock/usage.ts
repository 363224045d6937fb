import { countOf, split } from '../count.ts'
import { isFields } from '../json.ts'
import { NO_USAGE, type Usage } from '../usage.ts'

/** The usage of Converse, in an answer or in the closing event. What came from the cache is counted beside the input. */
export function readConverseUsage(body: unknown): Usage | undefined {
  if (!isFields(body) || !isFields(body.usage)) return undefined
  const { usage } = body
  const stated = countOf(usage.inputTokens)
  const output = countOf(usage.outputTokens) ?? 0
  if (stated === undefined) return undefined
  const cached = countOf(usage.cacheReadInputTokens) ?? 0
  const written = countOf(usage.cacheWriteInputTokens) ?? 0
  // Some models count it in the input; only the total tells.
  const inside = countOf(usage.totalTokens) === stated + output
  const { cachedInput, cacheWrite, rest } = split(inside ? stated : stated + cached + written, [
    ['cachedInput', cached],
    ['cacheWrite', written],
  ])
  return { ...NO_USAGE, input: rest, cachedInput, cacheWrite, output }
}
