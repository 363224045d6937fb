import { RATE_LIMIT_KINDS, RateLimits } from '@tollgate/contract'

/** The column of a token or a user. What cannot be read, after an edit by hand, limits nothing. */
export const storedRateLimits = (text: string): RateLimits => {
  if (text === '') return {}
  try {
    return RateLimits.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    return {}
  }
}

/** As it is stored: without models that have no limit, and empty where there is none at all. */
export const rateLimitsText = ({ models = {}, ...limits }: RateLimits) => {
  const limited = Object.entries(models).filter(([, limit]) => RATE_LIMIT_KINDS.some((kind) => limit[kind]))
  const kept = { ...limits, ...(limited.length === 0 ? {} : { models: Object.fromEntries(limited) }) }
  return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept)
}
