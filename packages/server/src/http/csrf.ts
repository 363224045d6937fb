import { CONSOLE_HEADER } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'

interface Own {
  /** The origin of the request, by its Host header. */
  origin: string
  /** Other origins that serve the console, by configuration. */
  consoleOrigins: readonly string[]
}

/**
 * Rejects requests that a page of another origin made the browser send. Browsers report the source in `Sec-Fetch-Site` and
 * `Origin`; except for GET at least the latter is always present.
 */
export const refuseCrossSite = (headers: Headers, own: Own) => {
  const from = headers.get('origin')
  if (from !== null && own.consoleOrigins.includes(from)) return
  if (from !== null && hostOf(from) !== hostOf(own.origin)) throw new GatewayError('session.foreign_page')
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') throw new GatewayError('session.foreign_page')
  if (headers.get('sec-purpose')?.includes('prefetch')) throw new GatewayError('session.foreign_page')
}

/**
 * For a GET with side effects missing headers are no proof: on plain http a page of a sibling subdomain or port sends the
 * cookie (it is the same site) with neither `Sec-Fetch-Site` nor `Origin`, and can omit the `Referer`. So the request must
 * prove that a script of our own page made it, by something no other page or element can send.
 */
export const requireConsoleProof = (headers: Headers, own: Own) => {
  refuseCrossSite(headers, own)
  if (isProgram(headers)) return
  // Another origin would need a preflight for this header, and an element cannot send it at all.
  if (headers.get(CONSOLE_HEADER) === '1') return
  if (!isFromScript(headers) || !isFromOwnOrigin(headers, own)) throw new GatewayError('session.unproven_page')
}

/**
 * A program sends its cookie on purpose, not because of a page. Every browser calls itself Mozilla, which no page can change
 * without a preflight, and a request for an image or from another page is a browser's in any case.
 */
function isProgram(headers: Headers) {
  const isBrowser = headers.get('user-agent')?.includes('Mozilla/') ?? false
  return !isBrowser && !headers.has('referer') && !headers.has('sec-fetch-site') && !isForElement(headers)
}

const isForElement = (headers: Headers) => /^(image|text|audio|video)\//.test(headers.get('accept') ?? '')

/** Images, videos, frames and links in an operator's text are on our own origin too, but cannot choose an `Accept` header. */
function isFromScript(headers: Headers) {
  const destination = headers.get('sec-fetch-dest')
  if (destination !== null) return destination === 'empty'
  return headers.get('accept')?.includes('application/json') ?? false
}

function isFromOwnOrigin(headers: Headers, { origin, consoleOrigins }: Own) {
  if (headers.get('sec-fetch-site') === 'same-origin') return true
  // A page can omit these, but not forge another page's.
  const from = headers.get('origin') ?? headers.get('referer')
  return from !== null && (consoleOrigins.includes(from) || hostOf(from) === hostOf(origin))
}

/** Compared without the scheme: a proxy may have terminated TLS, so that we see http where the browser uses https. */
function hostOf(url: string) {
  return URL.canParse(url) ? new URL(url).host : url
}
