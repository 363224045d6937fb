import type { HeaderLines } from '../../upstream/http1/header-lines.ts'

/** Vendor headers that are useful to a client and reveal nothing about the account. */
const KEPT = /^((x|anthropic)-ratelimit-[a-z0-9-]{1,40}$|retry-after(-ms)?$|openai-processing-ms$|openai-version$)/

/** Request ids for the vendor's support. Our own id already has that name. */
const IDS = /^(x-request-id|request-id|x-amzn-requestid)$/

/** More or longer headers are not rate limits. */
const KEPT_MAX = 40
const VALUE_MAX = 256

export const vendorHeaders = (headers: HeaderLines): Record<string, string> => {
  const kept: Record<string, string> = {}
  let count = 0
  headers.forEach((value, name) => {
    if (count >= KEPT_MAX || value.length > VALUE_MAX) return
    if (KEPT.test(name)) {
      kept[name] = value
      count++
    } else if (IDS.test(name)) kept['x-upstream-request-id'] = value
  })
  return kept
}
