import { stripTrailingSlash } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import type { Http } from '../upstream/http.ts'

/** Base URLs of external services. A secret is sent only to its own service. */
export interface ServiceAddresses {
  github: string
  githubApi: string
  lark: string
  larkPassport: string
  turnstile: string
  telegram: string
}

export const defaultAddresses: ServiceAddresses = {
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  lark: 'https://open.feishu.cn',
  larkPassport: 'https://passport.feishu.cn',
  turnstile: 'https://challenges.cloudflare.com',
  telegram: 'https://api.telegram.org',
}

/** What every integration needs. */
export interface ExternalServices {
  http: Http
  addresses: ServiceAddresses
}

/** A person waits for each of these calls. */
export const EXTERNAL_TIMEOUT_MS = 5_000

/** A path below a base URL. Query and fragment of the base are dropped, so that they cannot swallow the path. */
export function at(base: string, path: string, query: Record<string, string> = {}) {
  const url = toUrl(base)
  url.pathname = stripTrailingSlash(url.pathname) + path
  url.search = new URLSearchParams(query).toString()
  url.hash = ''
  return url
}

export function toUrl(text: string) {
  const url = URL.parse(text)
  if (url === null) throw new GatewayError('outbound.refused_address', {}, { cause: new Error('not a URL') })
  return url
}
