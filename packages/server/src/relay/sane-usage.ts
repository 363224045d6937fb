import { inputTokens, outputTokens, type Usage } from '@tollgate/providers'

/** What a vendor says a call used. A statement that cannot be one, such as -5 tokens, is kept apart from none. */
export type Reported = Usage | 'absurd'

const TOKENS_MAX = 100_000_000

/** Estimates are rough and models may think for long before they write little; beyond this a report is a mistake. */
const TIMES = 20
const SLACK = 10_000

/**
 * Whether a vendor's report can be true. A wrong one must not empty anybody's balance: a report that is absurd in
 * itself, or claims far more than was sent or delivered, is replaced by our own count.
 */
export const isSane = (usage: Usage, ours: { input: number; output: number }) => {
  const counts = Object.values(usage)
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0 && count <= TOKENS_MAX)) return false
  return inputTokens(usage) <= TIMES * (ours.input + SLACK) && outputTokens(usage) <= TIMES * (ours.output + SLACK)
}

/** Whether a body or an event states numbers of tokens that are none: negative, broken, or not a number at all. */
export const statesNonsense = (body: unknown): boolean => {
  const usage = usageIn(body)
  if (usage === undefined) return false
  return Object.entries(usage).some(
    ([name, value]) =>
      /token/i.test(name) && typeof value !== 'object' && !(Number.isSafeInteger(value) && Number(value) >= 0),
  )
}

/** Where the dialects put it. */
function usageIn(body: unknown): object | undefined {
  if (!isObject(body)) return undefined
  const inner = [body.usage, body.usageMetadata, usageOf(body.response), usageOf(body.message)]
  return inner.find(isObject)
}

const usageOf = (value: unknown) => (isObject(value) ? value.usage : undefined)

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
