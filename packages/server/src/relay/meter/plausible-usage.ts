import { type Fields, inputTokens, isFields, outputTokens, type Usage } from '@tollgate/providers'

/** What a vendor says a call used. A statement that cannot be one, such as -5 tokens, is kept apart from none. */
export type Reported = Usage | 'implausible'

const TOKENS_MAX = 100_000_000
/** Each costs about a cent, and a model that looks for an hour does some hundred. */
const SEARCHES_MAX = 1000

/** Estimates are rough and models may think for long before they write little; beyond this a report is a mistake. */
const TIMES = 20
const SLACK = 10_000
/** As much as the longest window of today holds. Files and earlier turns lie with the vendor, and we count none of them. */
const WINDOW = 2_000_000

/**
 * Whether a vendor's report can be true. A wrong one must not empty anybody's balance: a report that is absurd in
 * itself, or claims far more than was sent or delivered, is replaced by our own count.
 */
export const isPlausible = (usage: Usage, count: () => { input: number; output: number }) => {
  for (const bucket in usage) if (!isCount(usage[bucket as keyof Usage])) return false
  if (usage.webSearches > SEARCHES_MAX || usage.fileSearches > SEARCHES_MAX) return false
  const input = inputTokens(usage)
  const output = outputTokens(usage)
  // Nearly every call: it would be sane if we had counted nothing, so we need not count.
  if (input <= WINDOW && output <= TIMES * SLACK) return true
  const ours = count()
  return input <= Math.max(WINDOW, TIMES * (ours.input + SLACK)) && output <= TIMES * (ours.output + SLACK)
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0 && value <= TOKENS_MAX

/** Whether a body or an event states numbers of tokens that are none: negative, broken, or not a number at all. */
export const hasInvalidUsage = (body: unknown): boolean => {
  const usage = usageIn(body)
  if (usage === undefined) return false
  for (const name in usage) {
    const value = usage[name]
    if (typeof value === 'object' || (Number.isSafeInteger(value) && Number(value) >= 0)) continue
    if (/token/i.test(name)) return true
  }
  return false
}

/** Where the dialects put it. */
function usageIn(body: unknown): Fields | undefined {
  if (!isFields(body)) return undefined
  const inner = [body.usage, body.usageMetadata, usageOf(body.response), usageOf(body.message)]
  return inner.find(isFields)
}

const usageOf = (value: unknown) => (isFields(value) ? value.usage : undefined)
