import { countOf, split } from '../count.ts'
import { fieldsOf, isFields, listOf } from '../json.ts'
import { NO_USAGE, type Usage } from '../usage.ts'

/** The usage of Converse, in an answer or in the closing event. Cache reads are counted beside the input. */
export function readConverseUsage(body: unknown): Usage | undefined {
  if (!isFields(body) || !isFields(body.usage)) return undefined
  const { usage } = body
  const stated = countOf(usage.inputTokens)
  const output = countOf(usage.outputTokens) ?? 0
  if (stated === undefined) return undefined
  const cached = countOf(usage.cacheReadInputTokens) ?? 0
  const written = countOf(usage.cacheWriteInputTokens) ?? 0
  const long = listOf(usage.cacheDetails)
    .map(fieldsOf)
    .reduce((sum, { ttl, inputTokens }) => sum + (ttl === '1h' ? (countOf(inputTokens) ?? 0) : 0), 0)
  // Some models include the cache in the input; only the total shows it.
  const inside = countOf(usage.totalTokens) === stated + output
  const { cachedInput, cacheWrite, cacheWriteLong, rest } = split(inside ? stated : stated + cached + written, [
    ['cachedInput', cached],
    ['cacheWriteLong', Math.min(long, written)],
    ['cacheWrite', Math.max(0, written - long)],
  ])
  return { ...NO_USAGE, input: rest, cachedInput, cacheWrite, cacheWriteLong, output }
}
