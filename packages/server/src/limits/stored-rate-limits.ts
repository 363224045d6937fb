import { RATE_LIMIT_KINDS, RateLimits, strictest } from '@tollgate/contract'

/** The column of a token or a user. Unparsable text, after a manual edit, means no limits. */
export const storedRateLimits = (text: string): RateLimits => {
  if (text === '') return {}
  try {
    return RateLimits.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    return {}
  }
}

/** The limits of a key: its owner's and an administrator's together. */
export const keyLimits = (columns: { rate_limits: string; admin_rate_limits: string }) =>
  strictest(storedRateLimits(columns.rate_limits), storedRateLimits(columns.admin_rate_limits))

/** The stored form: without models that have no limit, and empty when there are none at all. */
export const rateLimitsText = ({ models = {}, ...limits }: RateLimits) => {
  const limited = Object.entries(models).filter(([, limit]) => RATE_LIMIT_KINDS.some((kind) => limit[kind]))
  const kept = { ...limits, ...(limited.length === 0 ? {} : { models: Object.fromEntries(limited) }) }
  return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept)
}
