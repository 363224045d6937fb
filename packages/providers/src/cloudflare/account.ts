import { failureOf, VendorError } from '../failure.ts'
import type { Access } from '../provider.ts'

export const headers = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

/** Where Workers AI lives for this channel. The address of an AI Gateway names account and provider by itself. */
export function root({ baseUrl, config }: Access) {
  if (baseUrl.endsWith('/workers-ai')) return baseUrl
  if (config.user_id) return `${baseUrl}/client/v4/accounts/${encodeURIComponent(config.user_id)}/ai`
  throw new VendorError(failureOf('auth', 'This Cloudflare channel has no account id', { code: 'missing_account_id' }))
}
