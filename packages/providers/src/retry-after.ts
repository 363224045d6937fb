/** No vendor means longer than a day; a larger value is milliseconds in place of seconds, or a wrong year. */
const LONGEST_SEC = 24 * 60 * 60

/**
 * How long a vendor asks us to wait: seconds or a date, as in HTTP, or milliseconds in a vendor-specific header. A date is
 * compared with the vendor's own `Date` header if present, because our clock may differ.
 */
export function retryAfter(headers: Pick<Headers, 'get'>, nowMs: number): number | undefined {
  const ms = decimal(headers.get('retry-after-ms'))
  if (ms !== undefined) return bounded(ms / 1000)
  const text = headers.get('retry-after')
  const seconds = decimal(text)
  if (seconds !== undefined) return bounded(seconds)
  const until = dateOf(text)
  return until === undefined ? undefined : bounded((until - (dateOf(headers.get('date')) ?? nowMs)) / 1000)
}

/**
 * Time until the rate limits of OpenAI and compatible vendors reset: "20ms", "1.5s", "6m0s". Used when an error has no
 * better value; when requests remain, the token limit was hit.
 */
export function rateLimitReset(headers: Pick<Headers, 'get'>): number | undefined {
  const [calls, tokens] = ['requests', 'tokens'].map((kind) => duration(headers.get(`x-ratelimit-reset-${kind}`)))
  const left = headers.get('x-ratelimit-remaining-requests')
  const noCalls = left === null || Number(left) === 0
  const noTokens = !noCalls || Number(headers.get('x-ratelimit-remaining-tokens') ?? 1) === 0
  const waits = [noCalls ? calls : undefined, noTokens ? tokens : undefined].filter((wait) => wait !== undefined)
  return waits.length === 0 ? undefined : bounded(Math.max(...waits))
}

const SECONDS = new Map<string, number>([
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
  ['ms', 0.001],
])

function duration(text: string | null) {
  if (text === null || !/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms]))+$/.test(text)) return undefined
  let seconds = 0
  for (const [, count, unit = ''] of text.matchAll(/([\d.]+)(ms|[dhms])/g))
    seconds += Number(count) * (SECONDS.get(unit) ?? 0)
  return seconds
}

/** Google's `RetryInfo`, which its OpenAI-compatible answers contain as well. */
export function retryDelay(body: string): number | undefined {
  const [, seconds] = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body) ?? []
  return seconds === undefined ? undefined : bounded(Number(seconds))
}

/** For delays from other sources. */
export const bounded = (seconds: number) => Math.min(Math.max(0, Math.ceil(seconds)), LONGEST_SEC)

function decimal(text: string | null) {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

/** Only dates with a year: JavaScript would parse "-1" as a date too. */
function dateOf(text: string | null) {
  if (text === null || !/\d{1,2}:\d{2}:\d{2}/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
