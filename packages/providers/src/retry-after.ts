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
