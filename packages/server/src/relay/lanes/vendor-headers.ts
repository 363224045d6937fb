import type { HeaderLines } from '../../upstream/http1/header-lines.ts'

/** What a vendor's answer says beside its body that is of use to a client, and says nothing of whose account it was. */
const KEPT = /^((x|anthropic)-ratelimit-[a-z0-9-]{1,40}$|retry-after(-ms)?$|openai-processing-ms$|openai-version$)/

/** By these a vendor's support finds a call. Our own id has that name already. */
const IDS = /^(x-request-id|request-id|x-amzn-requestid)$/

/** More or longer ones are no limits. */
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
