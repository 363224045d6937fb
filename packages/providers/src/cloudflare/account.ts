import { failureOf, VendorError } from '../failure.ts'
import type { Access } from '../upstream-request.ts'
import { pathSegment } from '../url-parts.ts'

export const headers = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

/** An AI Gateway URL already contains the account; operators enter it with and without the version. */
const gatewayOf = ({ baseUrl }: Access) => /^(.*\/workers-ai)(\/v1)?$/.exec(baseUrl)?.[1]

/** The base URL for running models. */
export const runRoot = (access: Access) => gatewayOf(access) ?? `${accountRoot(access)}/run`

/** The base URL of the OpenAI dialect; a gateway's `compat` speaks it for every vendor. */
export function dialectRoot(access: Access) {
  if (access.baseUrl.endsWith('/compat')) return access.baseUrl
  return `${gatewayOf(access) ?? accountRoot(access)}/v1`
}

export function accountRoot({ baseUrl, config }: Access) {
  if (config.user_id) return `${baseUrl}/client/v4/accounts/${pathSegment(config.user_id)}/ai`
  throw new VendorError(failureOf('auth', 'This Cloudflare channel has no account id', { code: 'missing_account_id' }))
}
