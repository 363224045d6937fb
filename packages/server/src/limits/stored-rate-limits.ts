import { RATE_LIMIT_KINDS, RateLimits } from '@tollgate/contract'

/** The column of a token or a user. Unparsable text, after a manual edit, means no limits. */
export const storedRateLimits = (text: string): RateLimits => {
  if (text === '') return {}
  try {
    return RateLimits.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    return {}
  }
}

/** The stored form: without models that have no limit, and empty when there are none at all. */
export const rateLimitsText = ({ models = {}, ...limits }: RateLimits) => {
  const limited = Object.entries(models).filter(([, limit]) => RATE_LIMIT_KINDS.some((kind) => limit[kind]))
  const kept = { ...limits, ...(limited.length === 0 ? {} : { models: Object.fromEntries(limited) }) }
  return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept)
}
