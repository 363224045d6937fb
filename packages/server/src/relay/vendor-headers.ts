import type { HeaderLines } from '../upstream/http1/header-lines.ts'

/** What a vendor's answer says beside its body that is of use to a client, and says nothing of whose account it was. */
const KEPT = /^(x-ratelimit-|anthropic-ratelimit-|retry-after(-ms)?$|openai-processing-ms$|openai-version$)/

/** By these a vendor's support finds a call. Our own id has that name already. */
const IDS = /^(x-request-id|request-id|x-amzn-requestid)$/

export const vendorHeaders = (headers: HeaderLines): Record<string, string> => {
  const kept: Record<string, string> = {}
  headers.forEach((value, name) => {
    if (KEPT.test(name)) kept[name] = value
    else if (IDS.test(name)) kept['x-upstream-request-id'] = value
  })
  return kept
}
