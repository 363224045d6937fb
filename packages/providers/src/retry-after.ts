/** No vendor means longer than a day; who says so has written milliseconds where seconds belong, or a wrong year. */
const LONGEST_SEC = 24 * 60 * 60

/**
 * How long a vendor asks us to wait: seconds or a date, as HTTP allows, or milliseconds under a name that some vendors
 * use. A date is held against the vendor's own clock where it tells that, because ours may differ.
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
 * How long until OpenAI's limits, and those of its imitators, are lifted: "20ms", "1.5s", "6m0s". For a refusal that says
 * nothing better; where calls are left, it was the tokens that were used up.
 */
export function rateLimitReset(headers: Pick<Headers, 'get'>): number | undefined {
  const [calls, tokens] = ['requests', 'tokens'].map((kind) => duration(headers.get(`x-ratelimit-reset-${kind}`)))
  const left = headers.get('x-ratelimit-remaining-requests')
  const noCalls = left === null || Number(left) === 0
  const noTokens = !noCalls || Number(headers.get('x-ratelimit-remaining-tokens') ?? 1) === 0
  const waits = [noCalls ? calls : undefined, noTokens ? tokens : undefined].filter((wait) => wait !== undefined)
  return waits.length === 0 ? undefined : bounded(Math.max(...waits))
}

const SECONDS: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 }

function duration(text: string | null) {
  if (text === null || !/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms]))+$/.test(text)) return undefined
  let seconds = 0
  for (const [, count, unit = ''] of text.matchAll(/([\d.]+)(ms|[dhms])/g))
    seconds += Number(count) * (SECONDS[unit] ?? 0)
  return seconds
}

/** Google's `RetryInfo`, which its answers in OpenAI's dialect hold as well. */
export function retryDelay(body: string): number | undefined {
  const [, seconds] = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body) ?? []
  return seconds === undefined ? undefined : bounded(Number(seconds))
}

/** For waits that are told elsewhere. */
export const bounded = (seconds: number) => Math.min(Math.max(0, Math.ceil(seconds)), LONGEST_SEC)

function decimal(text: string | null) {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

/** Only what has the form of a date with a year: JavaScript would take "-1" for one as well. */
function dateOf(text: string | null) {
  if (text === null || !/\d{1,2}:\d{2}:\d{2}/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
