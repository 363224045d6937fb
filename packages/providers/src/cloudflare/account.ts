import { failureOf, VendorError } from '../failure.ts'
import type { Access } from '../upstream-request.ts'
import { pathSegment } from '../url-parts.ts'

export const headers = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

/** An AI Gateway's address names the account by itself; people give it with and without the version. */
const gatewayOf = ({ baseUrl }: Access) => /^(.*\/workers-ai)(\/v1)?$/.exec(baseUrl)?.[1]

/** Where a model is run. */
export const runRoot = (access: Access) => gatewayOf(access) ?? `${accountRoot(access)}/run`

/** Where OpenAI's dialect is spoken; a gateway's `compat` speaks it for every vendor. */
export function dialectRoot(access: Access) {
  if (access.baseUrl.endsWith('/compat')) return access.baseUrl
  return `${gatewayOf(access) ?? accountRoot(access)}/v1`
}

export function accountRoot({ baseUrl, config }: Access) {
  if (config.user_id) return `${baseUrl}/client/v4/accounts/${pathSegment(config.user_id)}/ai`
  throw new VendorError(failureOf('auth', 'This Cloudflare channel has no account id', { code: 'missing_account_id' }))
}
