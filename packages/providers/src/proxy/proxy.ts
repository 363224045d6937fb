import { failureOf, VendorError } from '../failure.ts'
import { explainOpenAi } from '../openai/explain.ts'
import type { Provider } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { callersHeaders, vendorsHeaders } from './headers.ts'

/** Any service at all: address and credential are the channel's, the rest is the caller's. */
export const proxy: Provider = {
  name: 'proxy',
  forward: {
    url: forwardUrl,
    requestHeaders(headers, { key }) {
      const sent = callersHeaders(headers)
      // The key is the whole header, with its `Bearer` or whatever else the service wants in front.
      if (key !== '') sent.set('authorization', key)
      return sent
    },
    answerHeaders: vendorsHeaders,
  },
  explain: explainOpenAi,
}

/**
 * The channel's address and what follows it. Joined as text the two could mean another host (`@evil.example`) or another
 * branch of this one (`/../admin`), so the result is looked at before the key goes there.
 */
function forwardUrl(rest: string, { baseUrl }: Access) {
  const base = URL.parse(baseUrl)
  const url = URL.parse(baseUrl + (rest === '' || /^[/?]/.test(rest) ? rest : `/${rest}`))
  const stays = base !== null && url !== null && url.origin === base.origin && isUnder(url.pathname, base.pathname)
  if (stays && isPlainPath(rest.split(/[?#]/)[0] ?? '')) return url.href
  throw new VendorError(failureOf('client', 'This path leaves the address of the channel', { code: 'invalid_path' }))
}

/**
 * Whether a path means the same to everybody who reads it. The service may decode it once more than we do: then an
 * encoded slash separates, and dots between two of them lead up.
 */
function isPlainPath(path: string) {
  let decoded = path
  for (let times = 0; decoded.includes('%'); times++) {
    if (times === DECODINGS_MAX || /%(2f|5c|00)/i.test(decoded)) return false
    try {
      const once = decodeURIComponent(decoded)
      if (once === decoded) break
      decoded = once
    } catch {
      // From the second time on, a percent sign may be one.
      if (times === 0) return false
      break
    }
  }
  // A `;` begins parameters of a segment, which some servers cut off before they look for dots.
  const segments = decoded.split('/').map((segment) => segment.split(';')[0])
  return !/[\\\p{Cc}]/u.test(decoded) && !segments.some((segment) => segment === '.' || segment === '..')
}

const DECODINGS_MAX = 3

function isUnder(path: string, parent: string) {
  const folder = parent.endsWith('/') ? parent : `${parent}/`
  return path === parent || path.startsWith(folder)
}
