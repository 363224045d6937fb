import { failureOf, VendorError } from '../failure.ts'
import { explainOpenAi } from '../openai/explain.ts'
import type { Provider } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { callersHeaders, vendorsHeaders } from './headers.ts'

/** Any HTTP service: base URL and credential are the channel's, the rest is the caller's. */
export const proxy: Provider = {
  name: 'proxy',
  forward: {
    url: forwardUrl,
    requestHeaders(headers, { key }) {
      const sent = callersHeaders(headers)
      // The key is the whole header, including `Bearer` or whatever prefix the service expects.
      if (key !== '') sent.set('authorization', key)
      return sent
    },
    answerHeaders: vendorsHeaders,
  },
  explain: explainOpenAi,
}

/**
 * The channel's base URL and the caller's path. Concatenated as text the two could lead to another host (`@evil.example`) or
 * another part of this one (`/../admin`), so the result is checked before the key is sent there.
 */
function forwardUrl(rest: string, { baseUrl }: Access) {
  const base = URL.parse(baseUrl)
  const url = URL.parse(baseUrl + (rest === '' || /^[/?]/.test(rest) ? rest : `/${rest}`))
  const stays = base !== null && url !== null && url.origin === base.origin && isUnder(url.pathname, base.pathname)
  if (stays && isPlainPath(rest.split(/[?#]/)[0] ?? '')) return url.href
  throw new VendorError(failureOf('client', 'This path leaves the address of the channel', { code: 'invalid_path' }))
}

/**
 * Whether a path is unambiguous. The service may decode it once more than we do: then an encoded slash separates, and dots
 * between two of them lead up.
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
      // From the second decoding on, a percent sign may be literal.
      if (times === 0) return false
      break
    }
  }
  // A `;` starts path parameters, which some servers strip before they check for dots.
  const segments = decoded.split('/').map((segment) => segment.split(';')[0])
  return !/[\\\p{Cc}]/u.test(decoded) && !segments.some((segment) => segment === '.' || segment === '..')
}

const DECODINGS_MAX = 3

function isUnder(path: string, parent: string) {
  const folder = parent.endsWith('/') ? parent : `${parent}/`
  return path === parent || path.startsWith(folder)
}
